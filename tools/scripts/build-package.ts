/**
 * `npm run build [FOLDER]`: makes the package `weir` in `dist/`, for `npm pack ./dist`. It ships JavaScript, because Node strips no
 * types below node_modules. The folder mirrors the repository, so that every file finds the others where it finds them here.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const ROOT = join(import.meta.dirname, '../..');
const DIST = resolve(process.argv[2] ?? join(ROOT, 'dist'));

rmSync(DIST, { recursive: true, force: true });
const tsc = join(ROOT, 'node_modules/.bin/tsc');
execFileSync(tsc, ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', DIST], { stdio: 'inherit' });
await bundleHook();
for (const path of ['ontology', 'models', 'proto', 'bin', 'LICENSE', 'README.md'])
  cpSync(join(ROOT, path), join(DIST, path), { recursive: true });
// Migrations and whatever else stands beside the code that reads it.
for (const file of globSync('src/**/*.{sql,json,bin,wasm}', { cwd: ROOT })) cpSync(join(ROOT, file), join(DIST, file));
writeFileSync(join(DIST, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`);

/** `src/hook.ts` and what it imports as one CommonJS file, which Node starts sooner than modules; what is not for a host stays outside. */
async function bundleHook(): Promise<void> {
  await build({
    entryPoints: [join(ROOT, 'src/hook.ts')],
    outfile: join(DIST, 'src/hook.cjs'),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    logLevel: 'warning',
    plugins: [
      {
        name: 'the-program-stays-outside',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^\.\/main\.ts$/ }, ({ kind }) =>
            kind === 'dynamic-import' ? { path: './main.js', external: true } : null,
          ),
      },
    ],
  });
}

/** The repository's own, without what is for development, and with JavaScript in the place of sources. */
function manifest(): Record<string, unknown> {
  const {
    private: _,
    scripts: __,
    devDependencies: ___,
    exports,
    ...kept
  } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Record<string, unknown> & {
    exports: Record<string, string>;
  };
  const built = Object.entries(exports).map(([name, file]) => [name, file.replace(/\.ts$/, '.js')]);
  return { ...kept, exports: Object.fromEntries(built) };
}
