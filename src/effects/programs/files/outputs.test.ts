/** Stores that programs for other work empty or replace. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf } from '../../../../test/support/effects.ts';

const destroys = (line: string): boolean => effectsOf(line, 'shell').some((one) => one.startsWith('destroys_data'));

test('an option that names the output replaces a store', () => {
  for (const line of [
    'sort names.txt -o /srv/mill/data/orders.db',
    'sort --output=/srv/mill/data/orders.db names.txt',
    'find . -fls ~/.ssh/id_ed25519',
    'strace -o terraform.tfstate true',
    'quux --output /srv/mill/data/orders.sqlite in.txt',
    "sed -n 'w /srv/mill/data/orders.sqlite' /dev/null",
    "sed 's/a/b/w /srv/mill/data/orders.sqlite' x",
  ])
    assert.ok(destroys(line), line);
  for (const line of [
    'sort names.txt -o sorted.txt',
    'sort names.txt -o /srv/mill/data/test.db',
    'ssh-keygen -t ed25519 -f ~/.ssh/id_ed25519',
    'terraform plan -out plan.bin',
    'find . -fls list.txt',
  ])
    assert.ok(!destroys(line), line);
});

test('commands of an editor empty the files that it opens', () => {
  for (const line of [
    "ex -sc '%d|x' /srv/mill/data/orders.db",
    "vim -es -c '1,$d' -c 'wq' /srv/mill/data/orders.db",
    'vim -es +%d +wq /srv/mill/data/orders.db',
    "printf 'g/./d\\nw\\n' | ed -s /srv/mill/data/orders.db",
    "nvim --headless -c 'bufdo %d' -c 'wqa' ~/Documents/*.md",
  ])
    assert.ok(destroys(line), line);
  for (const line of [
    "ex -sc '%p|q!' /srv/mill/data/orders.db",
    "ex -sc '3d|x' /srv/mill/data/orders.db",
    "vim -es -c '%s/a/b/' -c 'wq' notes.md",
    "vim -es -c '%d' -c 'q!' /srv/mill/data/orders.db",
  ])
    assert.ok(!destroys(line), line);
});
