/** Letters and what they mostly sound like, the longest first. */
const sounds: readonly (readonly [string, string])[] = (
  'tion:SH AX N,sion:ZH AX N,ough:AO,augh:AO,eigh:EY,igh:AY,tch:CH,dge:JH,sch:SH,ch:CH,sh:SH,th:TH,ph:F,gh:G,ck:K,qu:K W,' +
  'wh:W,wr:R,kn:N,ng:NG,ee:IY,ea:IY,oo:UW,oa:OW,ou:AW,ow:OW,oi:OY,oy:OY,ai:EY,ay:EY,au:AO,aw:AO,ei:EY,ey:IY,' +
  'ie:IY,eu:Y UW,ew:Y UW,ue:UW,ui:UW,er:ER,ir:ER,ur:ER,ar:AA R,or:AO R,bb:B,cc:K,dd:D,ff:F,gg:G,ll:L,mm:M,nn:N,' +
  'pp:P,rr:R,ss:S,tt:T,zz:Z,a:AE,b:B,c:K,d:D,e:EH,f:F,g:G,h:HH,i:IH,j:JH,k:K,l:L,m:M,n:N,o:AA,p:P,q:K,r:R,s:S,' +
  't:T,u:AH,v:V,w:W,x:K S,y:IY,z:Z'
)
  .split(',')
  .map((pair) => pair.split(':') as [string, string]);

/** How a word that no dictionary has is likely said. @param word small letters a–z; empty for others */
export function letterToSound(word: string): readonly string[] {
  const phones: string[] = [];
  for (let at = 0; at < word.length; ) {
    const found = sounds.find(([letters]) => word.startsWith(letters, at));
    if (found && !(found[0] === 'e' && at === word.length - 1 && at > 1)) phones.push(...found[1].split(' '));
    at += found?.[0].length ?? 1;
  }
  return phones;
}
