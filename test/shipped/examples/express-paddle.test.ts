import { describe } from 'node:test';
import { createPaddleStub } from '../../../examples/stubs/paddle.ts';
import { installExample, startExample } from './run-example.ts';
import { sellThrough } from './sell-through.ts';

describe('the Express server with Paddle', () => {
  sellThrough({
    ...{
      example: 'express-paddle',
      provider: 'paddle',
      secret: 'pdl_ntfset_01kx_5f1c2a9e7b3d4f60',
    },
    createStub: createPaddleStub,
    install: () => installExample('express-paddle'),
    start: (folder, env) => startExample(folder, ['server.js'], env),
    variables: (stub) => ({
      ...{ PADDLE_API: stub, PADDLE_JS: `${stub}/paddle.js` },
      ...{ PADDLE_API_KEY: 'pdl_sdbx_apikey_of_nobody', PADDLE_PRICE_ID: 'pri_kettle' },
    }),
  });
});
