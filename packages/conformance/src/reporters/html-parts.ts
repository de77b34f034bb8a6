/** How the HTML report looks: one column that fits a phone, in the reader's light or dark. */
export const style = `
:root{color-scheme:light dark;--line:#8885;--good:#2a7d2e;--bad:#b3261e;--odd:#8a6100;--none:#6b6b6b}
*{box-sizing:border-box}
body{overflow-wrap:anywhere;font:16px/1.45 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem}
h1{margin:0;text-transform:capitalize}
header>p{overflow-wrap:anywhere;border-left:.4rem solid var(--none);padding-left:.6rem}
header>p.conforms{border-color:var(--good)}
header>p.does-not-conform{border-color:var(--bad)}
header>p.incomplete{border-color:var(--odd)}
dl{display:grid;gap:.3rem;margin:0}
dl div{display:flex;flex-wrap:wrap;gap:0 .6rem}
dt{min-width:6rem;font-weight:600}
dd{margin:0;overflow-wrap:anywhere}
form{position:sticky;top:0;background:Canvas;padding:.6rem 0;display:flex;flex-wrap:wrap;gap:.6rem;border-bottom:1px solid var(--line)}
label{max-width:100%}
input,select{font:inherit;width:100%;max-width:18rem;min-height:2.5rem}
details,article{border:1px solid var(--line);border-radius:.4rem;margin:.4rem 0;padding:.5rem .7rem}
summary{cursor:pointer;overflow-wrap:anywhere;min-height:1.8rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#8881;padding:.6rem;border-radius:.3rem;font-size:.85rem}
.status{border-radius:.3rem;color:#fff;padding:.1rem .4rem;background:var(--none);white-space:nowrap}
.pass{background:var(--good)}
.fail,.harness-error{background:var(--bad)}
.differs,.not-testable{background:var(--odd)}
h3,h4{margin:.3rem 0}
[hidden]{display:none}
a{padding:.1rem .2rem}
`;

/** Filtering, and opening what a link leads to. Without a script everything is still there to read. */
export const behaviour = `
const checks=[...document.querySelectorAll(".check")];
const [text,status,level,shown]=["text","status","level","shown"].map((id)=>document.getElementById(id));
const filter=()=>{
  const words=text.value.toLowerCase();
  let left=0;
  for(const check of checks){
    const fits=(!status.value||check.dataset.status===status.value)&&(!level.value||check.dataset.level===level.value)&&(!words||check.textContent.toLowerCase().includes(words));
    check.hidden=!fits;
    if(fits)left+=1;
  }
  shown.textContent=left+" of "+checks.length+" checks";
};
const reveal=()=>{
  const target=location.hash&&document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if(target){target.open=true;target.hidden=false;target.scrollIntoView();}
};
document.getElementById("filters").addEventListener("input",filter);
document.getElementById("filters").addEventListener("submit",(event)=>event.preventDefault());
addEventListener("hashchange",reveal);
filter();
reveal();
`;
