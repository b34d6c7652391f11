// SPDX-License-Identifier: MIT

/// The style sheet of a page.
///
/// Class names are short because a page repeats them thousands of times: `p y f e s` are the outcomes (passed, flaky,
/// failed, error, skipped), `st` a step, `x` an exchange, `tl` the picture of the time.
enum HTMLStyle {
    static let sheet: StaticString = """
        :root{color-scheme:light dark;--bg:#fff;--fg:#1b1f24;--mu:#57606a;--ln:#d0d7de;--bx:#f6f8fa;--p:#116329;
        --y:#7d4e00;--f:#a40e26;--e:#6639ba;--s:#57606a;--a:#0550ae;--b:#0a3069;--tk:#57606a}
        @media(prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--mu:#9ea7b3;--ln:#30363d;--bx:#161b22;
        --p:#56d364;--y:#e3b341;--f:#ff8182;--e:#d2a8ff;--s:#9ea7b3;--a:#79c0ff;--b:#79c0ff;--tk:#9ea7b3}}
        *{box-sizing:border-box}
        body{margin:0 auto;max-width:1180px;padding:1rem;background:var(--bg);color:var(--fg);
        font:15px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;overflow-wrap:anywhere}
        code,pre{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
        pre{margin:0;white-space:pre-wrap}
        h1{font-size:1.6rem;margin:0 0 .3rem}h2{font-size:1.25rem;margin:1.8rem 0 .6rem}
        h3{font-size:1rem;font-weight:600;margin:0;display:inline;flex:1 1 12rem;min-width:0}
        h4{font-size:.95rem;margin:1rem 0 .4rem}p{margin:.3rem 0}a{color:var(--a)}
        .i{width:1em;height:1em;vertical-align:-.12em;flex:none}summary>.i,.st>.i,.su>.i{align-self:center}
        .k{fill:none;stroke:currentColor;stroke-width:2.4;stroke-linecap:round;stroke-linejoin:round}
        .i.p,.w.p,.ve.p,.co .p{color:var(--p)}.i.y,.w.y,.ve.y,.co .y{color:var(--y)}
        .i.f,.w.f,.ve.f,.co .f,td.f{color:var(--f)}.i.e,.w.e,.ve.e,.co .e{color:var(--e)}
        .i.s,.w.s,.ve.s,.co .s{color:var(--s)}td.f{font-weight:700}
        path.p{fill:var(--p)}path.y{fill:var(--y)}path.f{fill:var(--f)}path.e{fill:var(--e)}path.s{fill:var(--s)}
        path.b{fill:var(--b)}path.x{fill:var(--tk)}path.g{fill:var(--ln)}
        .ve{font-size:1.1rem;font-weight:600}
        .bar{display:block;border-radius:4px;margin:.6rem 0}
        ul.co,ul.tr{list-style:none;padding:0;margin:.4rem 0}.co{display:flex;flex-wrap:wrap;gap:.3rem 1.2rem}
        .co .i{margin-right:.35rem}.co b{font-size:1.1rem}
        .tr li{padding:.45rem 0 .45rem 1.5rem;border-top:1px solid var(--ln);position:relative}
        .tr .i{position:absolute;left:0;top:.75rem}.tr p{margin:0}
        .sc{overflow-x:auto}table{border-collapse:collapse;width:100%}
        th,td{padding:.3rem .6rem;border-bottom:1px solid var(--ln);text-align:left;font-weight:400;
        overflow-wrap:normal}
        thead th{color:var(--mu);font-size:.85rem}tbody th{min-width:8rem;overflow-wrap:anywhere}
        .n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
        .en{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr));gap:.3rem 1.2rem;margin:0}
        .en div{display:flex;gap:.6rem}dt{color:var(--mu);flex:0 0 5.2rem}dd{margin:0;min-width:0}
        .wa{border-left:3px solid var(--y);padding-left:.6rem}
        .fl{margin-top:1.4rem}body:has(#np:checked) .case.p{display:none}
        .fa,.su2,.gp,footer{color:var(--mu);font-size:.88rem}.fa code,.re code{font-size:12.5px}
        .case{border:1px solid var(--ln);border-left-width:4px;border-radius:6px;margin:.5rem 0}
        .case.p{border-left-color:var(--p)}.case.y{border-left-color:var(--y)}.case.f{border-left-color:var(--f)}
        .case.e{border-left-color:var(--e)}.case.s{border-left-color:var(--s)}
        summary{cursor:pointer}
        .case>summary,.su{display:flex;flex-wrap:wrap;align-items:baseline;gap:.2rem .6rem;padding:.5rem .7rem}
        .case>summary{list-style:none}.case>summary::-webkit-details-marker{display:none}
        .case>summary::after,.st>summary::after{content:"\\25b8";color:var(--mu);width:1em;text-align:center}
        .case[open]>summary::after,.st[open]>summary::after{content:"\\25be"}
        summary:focus-visible,a:focus-visible,.sc:focus-visible{outline:2px solid var(--a);outline-offset:2px}
        .w{font-weight:600;flex:0 0 4.6rem;overflow-wrap:normal}.ms,.lo{color:var(--mu);font-size:.85rem;font-variant-numeric:tabular-nums}
        .re{padding:0 .7rem .5rem;margin:0}.bo{padding:0 .7rem .7rem}
        .pr{background:var(--bx);border-left:3px solid var(--f);border-radius:4px;padding:.5rem .7rem;margin:.5rem 0}
        .mg{font-weight:600;margin:0;white-space:pre-wrap}.ty{font-weight:600;color:var(--f)}.wh{margin:.15rem 0}
        .e>.bo>.pr{border-left-color:var(--e)}.e>.bo>.pr .ty{color:var(--e)}
        .y>.bo>.pr{border-left-color:var(--y)}.y>.bo>.pr .ty{color:var(--y)}
        .dt{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.1rem .8rem;margin:.3rem 0;
        align-items:baseline}.dt pre,.dt p{grid-column:1/-1}.dt code{white-space:pre-wrap}.dt b{font-weight:600}
        .tl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:0 .6rem;margin:.7rem 0;
        break-inside:avoid}
        .ln span{display:block;height:14px;font-size:11px;line-height:14px;color:var(--mu);text-align:right}
        .pl svg{display:block}.ax{position:relative;height:1.3em;font-size:11px;color:var(--mu);margin-top:2px}
        .ax span{position:absolute;white-space:nowrap;transform:translateX(-50%)}
        .ax span:first-child{transform:none}.ax .la{transform:translateX(-100%)}
        .le{color:var(--mu);font-size:.88rem;margin-top:1rem}.le i{display:inline-block;width:1.1em;height:.7em;margin:0 .3em 0 1em}
        .le i:first-child{margin-left:.3em}.le .b{background:var(--b)}.le .f{background:var(--f)}.le .t{background:var(--tk);width:.35em}
        .steps{border-top:1px solid var(--ln);margin:.5rem 0}.st{border-bottom:1px solid var(--ln)}
        div.st,.st>summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 .6rem;padding:.22rem .3rem}
        .st>summary{list-style:none}.st>summary::-webkit-details-marker{display:none}
        div.st::after{content:"";width:1em}
        .lb{flex:0 0 7.2rem;overflow-wrap:normal;color:var(--mu)}.ti{flex:1 1 10rem;min-width:0}.st.f .ti,.st.e .ti{font-weight:600}
        .de{padding-left:1.9rem}.st .gp{padding-left:1.9rem}
        .x{display:grid;grid-template-columns:1rem minmax(0,3fr) minmax(0,2fr);gap:0 .5rem;margin:.25rem .3rem;
        padding:.3rem .5rem;background:var(--bx);border-radius:4px;align-items:baseline;break-inside:avoid}
        .x .a{color:var(--mu);font-family:monospace}.x .m{color:var(--mu);font-size:.85rem}
        .x pre{grid-column:2/-1;border-left:2px solid var(--ln);padding-left:.6rem;margin:.15rem 0}
        .x b{font-weight:700}
        .stat{margin:.6rem 0}.stat>summary{color:var(--mu)}
        footer{margin-top:2rem;border-top:1px solid var(--ln)}
        @media(max-width:640px){body{padding:.7rem}th,td{padding:.3rem}tbody th{min-width:5rem;font-size:.88rem}.n{font-size:.85rem}.x{grid-template-columns:1rem minmax(0,1fr)}.x .m{grid-column:2}
        .x .a:not(:first-child){margin-top:.2rem}.lo{order:1;padding-left:1.6rem}
        .ms{order:1;margin-left:auto}.case>summary>.ms,.su>.ms{order:0}.lb{flex-basis:auto}.w{flex-basis:auto}
        .case>summary h3,.su h3{flex-basis:100%;order:1}.ti{flex-basis:8rem}}
        @media print{:root{--bg:#fff;--fg:#000;--mu:#444;--ln:#bbb;--bx:#f4f4f4;--p:#116329;--y:#7d4e00;--f:#a40e26;
        --e:#6639ba;--s:#444;--a:#000;--b:#0a3069;--tk:#444}body{max-width:none;font-size:11px;padding:0}
        .fl{display:none}.case>summary::after,.st>summary::after{content:none}
        .case::details-content,.st::details-content{content-visibility:visible;display:block;block-size:auto}
        .case,.pr{break-inside:auto}h2,h3,summary{break-after:avoid}.sc{overflow:visible}}

        """
}
