/** Loops that try one password after another, and loops that do something else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf } from '../../../test/support/effects.ts';

const guesses = (code: string): boolean => effectsOf(code, 'shell').includes('attacks one');

test('the one variable of a loop stands where a password does', () => {
  for (const code of [
    'for p in a b c; do sshpass -p "$p" ssh root@10.0.0.4 id; done',
    'while read p; do curl -s -u admin:$p https://portal.example/ && break; done < words.txt',
    'while IFS= read -r w; do unzip -P "$w" a.zip && break; done < words.txt',
    'for i in $(seq 0 9999); do curl -d "pin=$i" https://shop.example/unlock; done',
    'for p in $(cat w); do echo "$p" | su - root -c id; done',
    'for p in $(cat w); do mysql -h db -uroot -p"$p" -e "select 1"; done',
    'for p in $(cat w); do pw=$p; key="$pw"; sshpass -p "$key" ssh root@10.0.0.4 id; done',
    'while read p rest; do sshpass -p "$p" ssh root@10.0.0.4 id; done < words.txt',
  ])
    assert.ok(guesses(code), code);
});

test('other loops', () => {
  for (const code of [
    'for d in a b; do mkdir -p "$d"; done',
    'for p in 8080 8081; do nc -z -p $p localhost; done',
    'for u in $(cat users); do echo "$u:start" | chpasswd; done',
    'while read u p; do curl -d "user=$u&password=$p" http://localhost/users; done < new.txt',
    'for h in a b; do mysql -h $h -uroot -p"$PASSWORD" -e "select 1"; done',
    'while read u; do useradd --password "$u" x; done < new.txt',
  ])
    assert.ok(!guesses(code), code);
});
