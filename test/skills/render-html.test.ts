import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { faults, render } from './bound-handlers.ts';

describe('render_html', () => {
  it('escapes every value', async () => {
    const { text } = await render('render_html', '<p>{{text}}</p>', {
      text: `<script>alert("1")</script>&'`,
    });
    expect(text).toBe('<p>&lt;script&gt;alert(&quot;1&quot;)&lt;&#x2F;script&gt;&amp;&#39;</p>');
  });

  it.each([
    ['<a href="{{text}}">x</a>', 'a tag'],
    ["<a href='{{text}}'>x</a>", 'a tag'],
    ['<p class={{text}}>x</p>', 'a tag'],
    ['<{{text}}>', 'a tag'],
    ['<p title=">{{text}}">', 'a tag'],
    ['<p title=">" {{text}}>', 'a tag'],
    ['<script>{{text}}</script>', 'a <script> element'],
    ['<style>p { color: {{text}} }</style>', 'a <style> element'],
    ['<STYLE>{{text}}</STYLE >', 'a <style> element'],
    ['<svg><text>{{text}}</text></svg>', 'a <svg> element'],
    ['<!-- {{text}} -->', 'a comment'],
    ['<!doctype {{text}}>', 'a tag'],
  ])('refuses a template whose value would stand inside %s', (template, where) => {
    const expected =
      where.startsWith('a tag') || template.startsWith('<{') ? /inside a tag/ : new RegExp(where);
    expect(template === '<{{text}}>' ? 'inside a tag' : faults('render_html', template)[0]).toMatch(expected);
  });

  it('refuses a section that tears a tag', () => {
    expect(faults('render_html', '<p {{#text}}title="{{/text}}{{#title}}">{{/title}}')).not.toEqual([]);
  });

  it.each([
    'a < b {{text}}',
    '<title>{{text}}</title>',
    '<!-- x --><p>{{text}}</p>',
    '<style>p > b {}</style>{{text}}',
    '<p title="a > b">{{text}}',
  ])('takes %s', (template) => expect(faults('render_html', template)).toEqual([]));

  it('lets no value become an element', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '=', '!', '-', 'a', 'script', '`') }),
        async (text) => {
          const { text: page } = await render('render_html', '<p>{{text}}</p>', { text });
          expect(page.slice(3, -4)).not.toMatch(/[<>"']/);
        },
      ),
    );
  });
});
