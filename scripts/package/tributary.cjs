#!/usr/bin/env node
'use strict';

// The program that npm installs as `tributary`. In words that old versions of Node can read, so that they can say what
// to do, it checks Node and starts the command line. Without arguments it runs the server.

const NODE_MIN = 26;

// How commands that the program shows name it. It is inherited by the processes that it starts.
process.env.NPX_PACKAGE = nameForNpx();

if (Number(process.versions.node.split('.')[0]) >= NODE_MIN) {
  if (process.argv.length < 3) process.argv.push('serve');
  import('../src/cli/main.js');
} else {
  const platform = `${process.platform}-${process.arch}`;
  const node = `${platform === 'darwin-arm64' ? 'node-bin-' : 'node-'}${platform}@${NODE_MIN}`;
  const args = ['tributary'].concat(process.argv.slice(2)).join(' ');
  console.error(
    `tributary: it needs Node ${NODE_MIN} or later, and this is Node ${process.versions.node}. ` +
      `Install it from https://nodejs.org, or borrow it for one run: npx -p ${node} -p ${process.env.NPX_PACKAGE} ${args}`,
  );
  process.exitCode = 1;
}

// What npx was told to run: the file of the package, or its name.
function nameForNpx() {
  const name = 'tributary-analytics';
  try {
    const { _npx } = require('../../../package.json');
    return _npx.packages.find((each) => each.endsWith('.tgz')) || name;
  } catch {
    return name; // It is not in the cache of npx.
  }
}
