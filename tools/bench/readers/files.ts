/** Readers of files by their name, and of edits. */
import { COMMON, file, type HostileReader, value, withParameters } from './hostile-reader.ts';

export const fileReaders: Readonly<Record<string, HostileReader>> = {
  'file of a Unix unit': {
    event: file('/etc/systemd/system/a.service'),
    units: [...COMMON, '[Unit]\n', 'a=b\n', 'ExecStart='],
    openings: ['[Service]\nExecStart=', '[Unit]\n', '[Install]\n'],
  },
  'file of a Makefile': {
    event: file('Makefile'),
    units: [...COMMON, '\n\t', 'a:\n', '$(a)', '\\\n'],
    openings: ['all:\n\t', 'a = '],
  },
  'file of settings': {
    event: file('.npmrc'),
    units: [...COMMON, 'a=b\n', '//a/', '${a'],
    openings: ['registry=', '[a]\n', '//'],
  },
  'file of a package': {
    event: file('package.json'),
    units: [...COMMON, '{"a":', '"a",', '[['],
    openings: ['{"scripts":{"postinstall":"', '{"dependencies":{"', '{'],
  },
  'file of a workflow': {
    event: file('.github/workflows/a.yml'),
    units: [...COMMON, '- ', 'a: ', 'run: |\n', '${{ ', ' }}'],
    openings: ['on: push\njobs:\n  a:\n    steps:\n      - run: ', 'run: |\n  ', 'a: '],
  },
  'file of a cron table': { event: file('/etc/cron.d/a'), units: [...COMMON, '* '], openings: ['* * * * * root '] },
  'file of an image': {
    event: file('Dockerfile'),
    units: [...COMMON, 'RUN ', '\\\n', 'COPY '],
    openings: ['FROM a\nRUN ', 'FROM a\nCMD ['],
  },
  'file of a page': {
    event: file('a.html'),
    units: [...COMMON, '<script>', '</script>', '<!--', '-->', '<a ', '&lt;'],
    openings: ['<script>', '<script src="', '<a href="', '<!--'],
  },
  'file of a manifest': {
    event: value('manifest', { action: 'kubernetes:pod:create' }),
    units: [...COMMON, 'a: ', '- ', '{a: ', 'privileged: true\n', '  '],
    openings: ['apiVersion: v1\nkind: Pod\nspec:\n  ', 'hostPath:\n'],
  },
  patch: {
    event: withParameters((patch) => ({ patch }), {
      action: 'filesystem:file:edit',
      mcp_context: { tool_name: 'apply_patch' },
    }),
    units: [...COMMON, '\n+', '\n-', '\n@@', '\n ', '--- a\n', '+++ b\n', '*** ', '\n*** Update File: a\n'],
    openings: [
      '*** Begin Patch\n*** Update File: a.py\n@@\n',
      '--- a/a.sh\n+++ b/a.sh\n@@ -1 +1 @@\n',
      'diff --git a/a b/a\n',
    ],
  },
  edit: {
    event: withParameters((text) => ({ file_path: 'a.py', old_string: text, new_string: `${text}x` }), {
      action: 'filesystem:file:edit',
      mcp_context: { tool_name: 'Edit' },
    }),
    units: [...COMMON, '\n', 'assert ', 'if ', '# ', 'def '],
    openings: ['assert ', 'if a:\n'],
  },
};
