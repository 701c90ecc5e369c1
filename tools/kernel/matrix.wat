;; The only kernel of the structural layer: y += x · w for row-major matrices of 32-bit floats.
;; x has n rows of k, w has k rows of m, y has n rows of m; m is a multiple of 16. Offsets are in bytes.
;; Four accumulators of four lanes hold sixteen columns of one row. Products are added in the order of k, one rounding for each
;; product and one for each sum, so that every machine gets the same bits. No relaxed SIMD, no threads.
;; `npm run kernel` writes the bytes to src/scoring/network/kernel-bytes.ts; a test builds them again and compares.
(module
  (memory (export "memory") 4)
  (func (export "multiply_add")
    (param $x i32) (param $w i32) (param $y i32) (param $n i32) (param $k i32) (param $m i32)
    (local $row_bytes i32) (local $column i32) (local $end i32) (local $at i32) (local $xi i32) (local $x_end i32)
    (local $splat v128) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local.set $row_bytes (i32.shl (local.get $m) (i32.const 2)))
    (block $done
      (loop $rows
        (br_if $done (i32.eqz (local.get $n)))
        (local.set $column (i32.const 0))
        (block $row_done
          (loop $columns
            (br_if $row_done (i32.ge_u (local.get $column) (local.get $row_bytes)))
            (local.set $end (i32.add (local.get $y) (local.get $column)))
            (local.set $a (v128.load offset=0 (local.get $end)))
            (local.set $b (v128.load offset=16 (local.get $end)))
            (local.set $c (v128.load offset=32 (local.get $end)))
            (local.set $d (v128.load offset=48 (local.get $end)))
            (local.set $at (i32.add (local.get $w) (local.get $column)))
            (local.set $xi (local.get $x))
            (local.set $x_end (i32.add (local.get $x) (i32.shl (local.get $k) (i32.const 2))))
            (block $sum_done
              (loop $sum
                (br_if $sum_done (i32.ge_u (local.get $xi) (local.get $x_end)))
                (local.set $splat (v128.load32_splat (local.get $xi)))
                (local.set $a (f32x4.add (local.get $a) (f32x4.mul (local.get $splat) (v128.load offset=0 (local.get $at)))))
                (local.set $b (f32x4.add (local.get $b) (f32x4.mul (local.get $splat) (v128.load offset=16 (local.get $at)))))
                (local.set $c (f32x4.add (local.get $c) (f32x4.mul (local.get $splat) (v128.load offset=32 (local.get $at)))))
                (local.set $d (f32x4.add (local.get $d) (f32x4.mul (local.get $splat) (v128.load offset=48 (local.get $at)))))
                (local.set $at (i32.add (local.get $at) (local.get $row_bytes)))
                (local.set $xi (i32.add (local.get $xi) (i32.const 4)))
                (br $sum)))
            (v128.store offset=0 (local.get $end) (local.get $a))
            (v128.store offset=16 (local.get $end) (local.get $b))
            (v128.store offset=32 (local.get $end) (local.get $c))
            (v128.store offset=48 (local.get $end) (local.get $d))
            (local.set $column (i32.add (local.get $column) (i32.const 64)))
            (br $columns)))
        (local.set $x (i32.add (local.get $x) (i32.shl (local.get $k) (i32.const 2))))
        (local.set $y (i32.add (local.get $y) (local.get $row_bytes)))
        (local.set $n (i32.sub (local.get $n) (i32.const 1)))
        (br $rows)))))
