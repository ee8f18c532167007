import{$ as Fi,$a as Fs,$b as qn,$c as Go,$d as jt,$e as Tr,$f as Sl,$g as _h,A as gi,Aa as gs,Ab as Sn,Ac as xo,Ad as fa,Ae as sr,Af as qr,Ag as Fl,B as Si,Ba as Ss,Bb as xn,Bc as vo,Bd as ma,Be as nr,Bf as Gr,Bg as ql,C as xi,Ca as xs,Cb as vn,Cc as Eo,Cd as _a,Ce as v,Cf as Kr,Cg as Gl,D as vi,Da as vs,Db as En,Dc as Po,Dd as ya,De as or,Df as Vr,Dg as Kl,E as Ei,Ea as Es,Eb as Pn,Ec as Mo,Ed as wa,Ee as ar,Ef as Jr,Eg as Vl,F as Pi,Fa as Ps,Fb as Mn,Fc as Do,Fd as ot,Fe as P,Ff as $r,Fg as Jl,G as Mi,Ga as Ms,Gb as Dn,Gc as To,Gd as ba,Ge as rr,Gf as tl,Gg as $l,H as Di,Ha as Ds,Hb as Tn,Hc as Ao,Hd as ga,He as lr,Hf as el,Hg as rt,I as Ti,Ia as Ts,Ib as An,Ic as Io,Id as Sa,Ie as hr,If as il,Ig as th,J as Ai,Ja as As,Jb as In,Jc as Oo,Jd as xa,Je as cr,Jf as sl,Jg as re,K as Ii,Ka as Is,Kb as On,Kc as zo,Kd as va,Ke as pr,Kf as nl,Kg as eh,L as Oi,La as Os,Lb as zn,Lc as Lo,Ld as Ea,Le as dr,Lf as ol,Lg as Ut,M as zi,Ma as zs,Mb as Ln,Mc as jo,Md as Pa,Me as ur,Mf as al,Mg as ih,N as Li,Na as Ls,Nb as jn,Nc as Ro,Nd as Ma,Ne as fr,Nf as rl,Ng as sh,O as ji,Oa as js,Ob as Rn,Oc as Uo,Od as Da,Oe as mr,Of as ll,Og as nh,P as Ri,Pa as Rs,Pb as Un,Pc as Yo,Pd as Ta,Pe as _r,Pf as hl,Pg as le,Q as Ui,Qa as Us,Qb as Yn,Qc as Co,Qd as et,Qe as yr,Qf as cl,Qg as oh,R as Yi,Ra as Ys,Rb as Cn,Rc as Zo,Rd as xt,Re as wr,Rf as pl,Rg as ah,S as Ci,Sa as Cs,Sb as Zn,Sc as Xo,Sd as Lt,Se as br,Sf as dl,Sg as rh,T as Zi,Ta as Zs,Tb as Xn,Tc as ko,Td as Aa,Te as gr,Tf as ul,Tg as lh,U as Xi,Ua as Xs,Ub as kn,Uc as Ho,Ud as N,Ue as Sr,Uf as fl,Ug as hh,V as ki,Va as ks,Vb as Hn,Vc as No,Vd as $t,Ve as xr,Vf as ml,Vg as ch,W as Hi,Wa as Hs,Wb as Nn,Wc as Bo,Wd as Ia,We as vr,Wf as _l,Wg as ph,X as Ni,Xa as Ns,Xb as Bn,Xc as Qo,Xd as Oa,Xe as Er,Xf as yl,Xg as dh,Y as Bi,Ya as Bs,Yb as Qn,Yc as Wo,Yd as za,Ye as Pr,Yf as wl,Yg as uh,Z as Qi,Za as Qs,Zb as Wn,Zc as Fo,Zd as La,Ze as Mr,Zf as bl,Zg as fh,_ as Wi,_a as Ws,_b as Fn,_c as qo,_d as te,_e as Dr,_f as gl,_g as mh,a as Ve,aa as qi,ab as qs,ac as Gn,ad as Ko,ae as l,af as at,ag as xl,ah as yh,b as W,ba as Gi,bb as Gs,bc as Kn,bd as Vo,be as ja,bf as ie,bg as vl,bh as wh,c as F,ca as Ki,cb as Ks,cc as Vn,cd as Jo,ce as Ra,cf as Ar,cg as El,ch as vt,d as Je,da as Vi,db as Vs,dc as Jn,dd as gt,de as Ua,df as Ir,dg as Pl,dh as bh,e as $e,ea as Ji,eb as Js,ec as $n,ed as T,ee as Ya,ef as se,eg as Ml,eh as gh,f as ti,fa as $i,fb as $s,fc as to,fd as A,fe as Ca,ff as Or,fg as Dl,fh as lt,g as ei,ga as ts,gb as tn,gc as eo,gd as h,ge as Za,gf as it,gg as Tl,gh as ht,h as ii,ha as es,hb as en,hc as io,hd as $o,he as Xa,hf as zr,hg as Al,hh as Sh,i as si,ia as is,ib as sn,ic as so,id as ta,ie as ka,if as Lr,ig as Il,ih as xh,j as ni,ja as ss,jb as nn,jc as no,jd as ea,je as Ha,jf as ne,jg as Ol,jh as vh,k as oi,ka as ns,kb as on,kc as oo,kd as ia,ke as ee,kf as jr,kg as zl,kh as Eh,l as ai,la as os,lb as an,lc as ao,ld as sa,le as H,lf as Rt,lg as ae,m as ri,ma as as,mb as rn,mc as ro,md as na,me as Na,mf as oe,mg as Ll,n as Vt,na as rs,nb as ln,nc as lo,nd as tt,ne as Ba,nf as Rr,ng as jl,o as li,oa as ls,ob as hn,oc as ho,od as oa,oe as Qa,of as Ur,og as Rl,p as hi,pa as hs,pb as cn,pc as co,pd as aa,pe as Wa,pf as Yr,pg as Ul,q as ci,qa as cs,qb as pn,qc as po,qd as ra,qe as Fa,qf as Cr,qg as Yl,r as pi,ra as ps,rb as dn,rc as uo,rd as la,re as qa,rf as Zr,rg as Cl,s as di,sa as ds,sb as un,sc as fo,sd as ha,se as Ga,sf as Xr,sg as Zl,t as ui,ta as us,tb as fn,tc as mo,td as ca,te as Ka,tf as kr,tg as Xl,u as fi,ua as fs,ub as mn,uc as _o,ud as nt,ue as Va,uf as Hr,ug as kl,v as mi,va as ms,vb as _n,vc as yo,vd as Jt,ve as Ja,vf as Nr,vg as Hl,w as _i,wa as _s,wb as yn,wc as wo,wd as pa,we as $a,wf as Br,wg as Nl,x as yi,xa as ys,xb as wn,xc as bo,xd as St,xe as tr,xf as Qr,xg as Bl,y as wi,ya as ws,yb as bn,yc as go,yd as da,ye as er,yf as Wr,yg as Ql,z as bi,za as bs,zb as gn,zc as So,zd as ua,ze as ir,zf as Fr,zg as Wl}from"./shared.mjs";var he={type:"change"},Zt={type:"start"},pe={type:"end"},Et=new te,ce=new $t,Oe=Math.cos(70*gt.DEG2RAD),y=new h,I=2*Math.PI,c={NONE:-1,ROTATE:0,DOLLY:1,PAN:2,TOUCH_ROTATE:3,TOUCH_PAN:4,TOUCH_DOLLY_PAN:5,TOUCH_DOLLY_ROTATE:6},Yt=1e-6,Ct=class extends vt{constructor(t,e=null){super(t,e),this.state=c.NONE,this.target=new h,this.cursor=new h,this.minDistance=0,this.maxDistance=1/0,this.minZoom=0,this.maxZoom=1/0,this.minTargetRadius=0,this.maxTargetRadius=1/0,this.minPolarAngle=0,this.maxPolarAngle=Math.PI,this.minAzimuthAngle=-1/0,this.maxAzimuthAngle=1/0,this.enableDamping=!1,this.dampingFactor=.05,this.enableZoom=!0,this.zoomSpeed=1,this.enableRotate=!0,this.rotateSpeed=1,this.keyRotateSpeed=1,this.enablePan=!0,this.panSpeed=1,this.screenSpacePanning=!0,this.keyPanSpeed=7,this.zoomToCursor=!1,this.autoRotate=!1,this.autoRotateSpeed=2,this.keys={LEFT:"ArrowLeft",UP:"ArrowUp",RIGHT:"ArrowRight",BOTTOM:"ArrowDown"},this.mouseButtons={LEFT:W.ROTATE,MIDDLE:W.DOLLY,RIGHT:W.PAN},this.touches={ONE:F.ROTATE,TWO:F.DOLLY_PAN},this.target0=this.target.clone(),this.position0=this.object.position.clone(),this.zoom0=this.object.zoom,this._cursorStyle="auto",this._domElementKeyEvents=null,this._lastPosition=new h,this._lastQuaternion=new A,this._lastTargetPosition=new h,this._quat=new A().setFromUnitVectors(t.up,new h(0,1,0)),this._quatInverse=this._quat.clone().invert(),this._spherical=new Ut,this._sphericalDelta=new Ut,this._scale=1,this._panOffset=new h,this._rotateStart=new T,this._rotateEnd=new T,this._rotateDelta=new T,this._panStart=new T,this._panEnd=new T,this._panDelta=new T,this._dollyStart=new T,this._dollyEnd=new T,this._dollyDelta=new T,this._dollyDirection=new h,this._mouse=new T,this._performCursorZoom=!1,this._pointers=[],this._pointerPositions={},this._controlActive=!1,this._onPointerMove=Le.bind(this),this._onPointerDown=ze.bind(this),this._onPointerUp=je.bind(this),this._onContextMenu=ke.bind(this),this._onMouseWheel=Ye.bind(this),this._onKeyDown=Ce.bind(this),this._onTouchStart=Ze.bind(this),this._onTouchMove=Xe.bind(this),this._onMouseDown=Re.bind(this),this._onMouseMove=Ue.bind(this),this._interceptControlDown=He.bind(this),this._interceptControlUp=Ne.bind(this),this.domElement!==null&&this.connect(this.domElement),this.update()}set cursorStyle(t){this._cursorStyle=t,t==="grab"?this.domElement.style.cursor="grab":this.domElement.style.cursor="auto"}get cursorStyle(){return this._cursorStyle}connect(t){super.connect(t),this.domElement.addEventListener("pointerdown",this._onPointerDown),this.domElement.addEventListener("pointercancel",this._onPointerUp),this.domElement.addEventListener("contextmenu",this._onContextMenu),this.domElement.addEventListener("wheel",this._onMouseWheel,{passive:!1}),this.domElement.ownerDocument.addEventListener("keydown",this._interceptControlDown,{passive:!0,capture:!0}),this.domElement.style.touchAction="none"}disconnect(){this.state=c.NONE,this.domElement.removeEventListener("pointerdown",this._onPointerDown),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.domElement.removeEventListener("pointercancel",this._onPointerUp),this.domElement.removeEventListener("wheel",this._onMouseWheel),this.domElement.removeEventListener("contextmenu",this._onContextMenu),this.stopListenToKeyEvents(),this.domElement.ownerDocument.removeEventListener("keydown",this._interceptControlDown,{capture:!0}),this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{capture:!0}),this._controlActive=!1,this._pointers.length=0,this._pointerPositions={},this.domElement.style.touchAction="",this.domElement.style.cursor="auto"}dispose(){this.disconnect()}getPolarAngle(){return this._spherical.phi}getAzimuthalAngle(){return this._spherical.theta}getDistance(){return this.object.position.distanceTo(this.target)}listenToKeyEvents(t){t.addEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=t}stopListenToKeyEvents(){this._domElementKeyEvents!==null&&(this._domElementKeyEvents.removeEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=null)}saveState(){this.target0.copy(this.target),this.position0.copy(this.object.position),this.zoom0=this.object.zoom}reset(){this.target.copy(this.target0),this.object.position.copy(this.position0),this.object.zoom=this.zoom0,this.object.updateProjectionMatrix(),this.dispatchEvent(he),this.update(),this.state=c.NONE}pan(t,e){this._pan(t,e),this.update()}dollyIn(t){this._dollyIn(t),this.update()}dollyOut(t){this._dollyOut(t),this.update()}rotateLeft(t){this._rotateLeft(t),this.update()}rotateUp(t){this._rotateUp(t),this.update()}update(t=null){let e=this.object.position;y.copy(e).sub(this.target),y.applyQuaternion(this._quat),this._spherical.setFromVector3(y),this.autoRotate&&this.state===c.NONE&&this._rotateLeft(this._getAutoRotationAngle(t)),this.enableDamping?(this._spherical.theta+=this._sphericalDelta.theta*this.dampingFactor,this._spherical.phi+=this._sphericalDelta.phi*this.dampingFactor):(this._spherical.theta+=this._sphericalDelta.theta,this._spherical.phi+=this._sphericalDelta.phi);let s=this.minAzimuthAngle,n=this.maxAzimuthAngle;isFinite(s)&&isFinite(n)&&(s<-Math.PI?s+=I:s>Math.PI&&(s-=I),n<-Math.PI?n+=I:n>Math.PI&&(n-=I),s<=n?this._spherical.theta=Math.max(s,Math.min(n,this._spherical.theta)):this._spherical.theta=this._spherical.theta>(s+n)/2?Math.max(s,this._spherical.theta):Math.min(n,this._spherical.theta)),this._spherical.phi=Math.max(this.minPolarAngle,Math.min(this.maxPolarAngle,this._spherical.phi)),this._spherical.makeSafe(),this.enableDamping===!0?this.target.addScaledVector(this._panOffset,this.dampingFactor):this.target.add(this._panOffset),this.target.sub(this.cursor),this.target.clampLength(this.minTargetRadius,this.maxTargetRadius),this.target.add(this.cursor);let o=!1;if(this.zoomToCursor&&this._performCursorZoom||this.object.isOrthographicCamera)this._spherical.radius=this._clampDistance(this._spherical.radius);else{let i=this._spherical.radius;this._spherical.radius=this._clampDistance(this._spherical.radius*this._scale),o=i!=this._spherical.radius}if(y.setFromSpherical(this._spherical),y.applyQuaternion(this._quatInverse),e.copy(this.target).add(y),this.object.lookAt(this.target),this.enableDamping===!0?(this._sphericalDelta.theta*=1-this.dampingFactor,this._sphericalDelta.phi*=1-this.dampingFactor,this._panOffset.multiplyScalar(1-this.dampingFactor)):(this._sphericalDelta.set(0,0,0),this._panOffset.set(0,0,0)),this.zoomToCursor&&this._performCursorZoom){let i=null;if(this.object.isPerspectiveCamera){let r=y.length();i=this._clampDistance(r*this._scale);let p=r-i;this.object.position.addScaledVector(this._dollyDirection,p),this.object.updateMatrixWorld(),o=!!p}else if(this.object.isOrthographicCamera){let r=new h(this._mouse.x,this._mouse.y,0);r.unproject(this.object);let p=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),this.object.updateProjectionMatrix(),o=p!==this.object.zoom;let f=new h(this._mouse.x,this._mouse.y,0);f.unproject(this.object),this.object.position.sub(f).add(r),this.object.updateMatrixWorld(),i=y.length()}else console.warn("WARNING: OrbitControls.js encountered an unknown camera type - zoom to cursor disabled."),this.zoomToCursor=!1;i!==null&&(this.screenSpacePanning?this.target.set(0,0,-1).transformDirection(this.object.matrix).multiplyScalar(i).add(this.object.position):(Et.origin.copy(this.object.position),Et.direction.set(0,0,-1).transformDirection(this.object.matrix),Math.abs(this.object.up.dot(Et.direction))<Oe?this.object.lookAt(this.target):(ce.setFromNormalAndCoplanarPoint(this.object.up,this.target),Et.intersectPlane(ce,this.target))))}else if(this.object.isOrthographicCamera){let i=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),i!==this.object.zoom&&(this.object.updateProjectionMatrix(),o=!0)}return this._scale=1,this._performCursorZoom=!1,o||this._lastPosition.distanceToSquared(this.object.position)>Yt||8*(1-this._lastQuaternion.dot(this.object.quaternion))>Yt||this._lastTargetPosition.distanceToSquared(this.target)>Yt?(this.dispatchEvent(he),this._lastPosition.copy(this.object.position),this._lastQuaternion.copy(this.object.quaternion),this._lastTargetPosition.copy(this.target),!0):!1}_getAutoRotationAngle(t){return t!==null?I/60*this.autoRotateSpeed*t:I/60/60*this.autoRotateSpeed}_getZoomScale(t){let e=Math.abs(t*.01);return Math.pow(.95,this.zoomSpeed*e)}_rotateLeft(t){this._sphericalDelta.theta-=t}_rotateUp(t){this._sphericalDelta.phi-=t}_panLeft(t,e){y.setFromMatrixColumn(e,0),y.multiplyScalar(-t),this._panOffset.add(y)}_panUp(t,e){this.screenSpacePanning===!0?y.setFromMatrixColumn(e,1):(y.setFromMatrixColumn(e,0),y.crossVectors(this.object.up,y)),y.multiplyScalar(t),this._panOffset.add(y)}_pan(t,e){let s=this.domElement;if(this.object.isPerspectiveCamera){let n=this.object.position;y.copy(n).sub(this.target);let o=y.length();o*=Math.tan(this.object.fov/2*Math.PI/180),this._panLeft(2*t*o/s.clientHeight,this.object.matrix),this._panUp(2*e*o/s.clientHeight,this.object.matrix)}else this.object.isOrthographicCamera?(this._panLeft(t*(this.object.right-this.object.left)/this.object.zoom/s.clientWidth,this.object.matrix),this._panUp(e*(this.object.top-this.object.bottom)/this.object.zoom/s.clientHeight,this.object.matrix)):(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - pan disabled."),this.enablePan=!1)}_dollyOut(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale/=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_dollyIn(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale*=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_updateZoomParameters(t,e){if(!this.zoomToCursor)return;this._performCursorZoom=!0;let s=this.domElement.getBoundingClientRect(),n=t-s.left,o=e-s.top,i=s.width,r=s.height;this._mouse.x=n/i*2-1,this._mouse.y=-(o/r)*2+1,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()}_clampDistance(t){return Math.max(this.minDistance,Math.min(this.maxDistance,t))}_handleMouseDownRotate(t){this._rotateStart.set(t.clientX,t.clientY)}_handleMouseDownDolly(t){this._updateZoomParameters(t.clientX,t.clientY),this._dollyStart.set(t.clientX,t.clientY)}_handleMouseDownPan(t){this._panStart.set(t.clientX,t.clientY)}_handleMouseMoveRotate(t){this._rotateEnd.set(t.clientX,t.clientY),this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(I*this._rotateDelta.x/e.clientHeight),this._rotateUp(I*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd),this.update()}_handleMouseMoveDolly(t){this._dollyEnd.set(t.clientX,t.clientY),this._dollyDelta.subVectors(this._dollyEnd,this._dollyStart),this._dollyDelta.y>0?this._dollyOut(this._getZoomScale(this._dollyDelta.y)):this._dollyDelta.y<0&&this._dollyIn(this._getZoomScale(this._dollyDelta.y)),this._dollyStart.copy(this._dollyEnd),this.zoomToCursor&&(this._performCursorZoom=!0,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()),this.update()}_handleMouseMovePan(t){this._panEnd.set(t.clientX,t.clientY),this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd),this.update()}_handleMouseWheel(t){this._updateZoomParameters(t.clientX,t.clientY),t.deltaY<0?this._dollyIn(this._getZoomScale(t.deltaY)):t.deltaY>0&&this._dollyOut(this._getZoomScale(t.deltaY)),this.update()}_handleKeyDown(t){let e=!1;switch(t.code){case this.keys.UP:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(I*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,this.keyPanSpeed),e=!0;break;case this.keys.BOTTOM:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(-I*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,-this.keyPanSpeed),e=!0;break;case this.keys.LEFT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(I*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(this.keyPanSpeed,0),e=!0;break;case this.keys.RIGHT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(-I*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(-this.keyPanSpeed,0),e=!0;break}e&&(t.preventDefault(),this.update())}_handleTouchStartRotate(t){if(this._pointers.length===1)this._rotateStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),s=.5*(t.pageX+e.x),n=.5*(t.pageY+e.y);this._rotateStart.set(s,n)}}_handleTouchStartPan(t){if(this._pointers.length===1)this._panStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),s=.5*(t.pageX+e.x),n=.5*(t.pageY+e.y);this._panStart.set(s,n)}}_handleTouchStartDolly(t){let e=this._getSecondPointerPosition(t),s=t.pageX-e.x,n=t.pageY-e.y,o=Math.sqrt(s*s+n*n);this._dollyStart.set(0,o)}_handleTouchStartDollyPan(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enablePan&&this._handleTouchStartPan(t)}_handleTouchStartDollyRotate(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enableRotate&&this._handleTouchStartRotate(t)}_handleTouchMoveRotate(t){if(this._pointers.length==1)this._rotateEnd.set(t.pageX,t.pageY);else{let s=this._getSecondPointerPosition(t),n=.5*(t.pageX+s.x),o=.5*(t.pageY+s.y);this._rotateEnd.set(n,o)}this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(I*this._rotateDelta.x/e.clientHeight),this._rotateUp(I*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd)}_handleTouchMovePan(t){if(this._pointers.length===1)this._panEnd.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),s=.5*(t.pageX+e.x),n=.5*(t.pageY+e.y);this._panEnd.set(s,n)}this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd)}_handleTouchMoveDolly(t){let e=this._getSecondPointerPosition(t),s=t.pageX-e.x,n=t.pageY-e.y,o=Math.sqrt(s*s+n*n);this._dollyEnd.set(0,o),this._dollyDelta.set(0,Math.pow(this._dollyEnd.y/this._dollyStart.y,this.zoomSpeed)),this._dollyOut(this._dollyDelta.y),this._dollyStart.copy(this._dollyEnd);let i=(t.pageX+e.x)*.5,r=(t.pageY+e.y)*.5;this._updateZoomParameters(i,r)}_handleTouchMoveDollyPan(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enablePan&&this._handleTouchMovePan(t)}_handleTouchMoveDollyRotate(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enableRotate&&this._handleTouchMoveRotate(t)}_addPointer(t){this._pointers.push(t.pointerId)}_removePointer(t){delete this._pointerPositions[t.pointerId];for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId){this._pointers.splice(e,1);return}}_isTrackingPointer(t){for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId)return!0;return!1}_trackPointer(t){let e=this._pointerPositions[t.pointerId];e===void 0&&(e=new T,this._pointerPositions[t.pointerId]=e),e.set(t.pageX,t.pageY)}_getSecondPointerPosition(t){let e=t.pointerId===this._pointers[0]?this._pointers[1]:this._pointers[0];return this._pointerPositions[e]}_customWheelEvent(t){let e=t.deltaMode,s={clientX:t.clientX,clientY:t.clientY,deltaY:t.deltaY};switch(e){case 1:s.deltaY*=16;break;case 2:s.deltaY*=100;break}return t.ctrlKey&&!this._controlActive&&(s.deltaY*=10),s}};function ze(a){this.enabled!==!1&&(this._pointers.length===0&&(this.domElement.setPointerCapture(a.pointerId),this.domElement.ownerDocument.addEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.addEventListener("pointerup",this._onPointerUp)),!this._isTrackingPointer(a)&&(this._addPointer(a),a.pointerType==="touch"?this._onTouchStart(a):this._onMouseDown(a),this._cursorStyle==="grab"&&(this.domElement.style.cursor="grabbing")))}function Le(a){this.enabled!==!1&&(a.pointerType==="touch"?this._onTouchMove(a):this._onMouseMove(a))}function je(a){switch(this._removePointer(a),this._pointers.length){case 0:this.domElement.releasePointerCapture(a.pointerId),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.dispatchEvent(pe),this.state=c.NONE,this._cursorStyle==="grab"&&(this.domElement.style.cursor="grab");break;case 1:let t=this._pointers[0],e=this._pointerPositions[t];this._onTouchStart({pointerId:t,pageX:e.x,pageY:e.y});break}}function Re(a){let t;switch(a.button){case 0:t=this.mouseButtons.LEFT;break;case 1:t=this.mouseButtons.MIDDLE;break;case 2:t=this.mouseButtons.RIGHT;break;default:t=-1}switch(t){case W.DOLLY:if(this.enableZoom===!1)return;this._handleMouseDownDolly(a),this.state=c.DOLLY;break;case W.ROTATE:if(a.ctrlKey||a.metaKey||a.shiftKey){if(this.enablePan===!1)return;this._handleMouseDownPan(a),this.state=c.PAN}else{if(this.enableRotate===!1)return;this._handleMouseDownRotate(a),this.state=c.ROTATE}break;case W.PAN:if(a.ctrlKey||a.metaKey||a.shiftKey){if(this.enableRotate===!1)return;this._handleMouseDownRotate(a),this.state=c.ROTATE}else{if(this.enablePan===!1)return;this._handleMouseDownPan(a),this.state=c.PAN}break;default:this.state=c.NONE}this.state!==c.NONE&&this.dispatchEvent(Zt)}function Ue(a){switch(this.state){case c.ROTATE:if(this.enableRotate===!1)return;this._handleMouseMoveRotate(a);break;case c.DOLLY:if(this.enableZoom===!1)return;this._handleMouseMoveDolly(a);break;case c.PAN:if(this.enablePan===!1)return;this._handleMouseMovePan(a);break}}function Ye(a){this.enabled===!1||this.enableZoom===!1||this.state!==c.NONE||(a.preventDefault(),this.dispatchEvent(Zt),this._handleMouseWheel(this._customWheelEvent(a)),this.dispatchEvent(pe))}function Ce(a){this.enabled!==!1&&this._handleKeyDown(a)}function Ze(a){switch(this._trackPointer(a),this._pointers.length){case 1:switch(this.touches.ONE){case F.ROTATE:if(this.enableRotate===!1){this.state=c.NONE;break}this._handleTouchStartRotate(a),this.state=c.TOUCH_ROTATE;break;case F.PAN:if(this.enablePan===!1){this.state=c.NONE;break}this._handleTouchStartPan(a),this.state=c.TOUCH_PAN;break;default:this.state=c.NONE}break;case 2:switch(this.touches.TWO){case F.DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchStartDollyPan(a),this.state=c.TOUCH_DOLLY_PAN;break;case F.DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchStartDollyRotate(a),this.state=c.TOUCH_DOLLY_ROTATE;break;default:this.state=c.NONE}break;default:this.state=c.NONE}this.state!==c.NONE&&this.dispatchEvent(Zt)}function Xe(a){switch(this._trackPointer(a),this.state){case c.TOUCH_ROTATE:if(this.enableRotate===!1)return;this._handleTouchMoveRotate(a),this.update();break;case c.TOUCH_PAN:if(this.enablePan===!1)return;this._handleTouchMovePan(a),this.update();break;case c.TOUCH_DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchMoveDollyPan(a),this.update();break;case c.TOUCH_DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchMoveDollyRotate(a),this.update();break;default:this.state=c.NONE}}function ke(a){this.enabled!==!1&&a.preventDefault()}function He(a){a.key==="Control"&&(this._controlActive=!0,this.domElement.ownerDocument.addEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}function Ne(a){a.key==="Control"&&(this._controlActive=!1,this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}var q=new re,m=new h,B=new h,u=new A,de={X:new h(1,0,0),Y:new h(0,1,0),Z:new h(0,0,1)},Xt={type:"change"},ue={type:"mouseDown",mode:null},fe={type:"mouseUp",mode:null},me={type:"objectChange"},Ht=class extends vt{constructor(t,e=null){super(void 0,e);let s=new Nt(this);this._root=s;let n=new Bt;this._gizmo=n,s.add(n);let o=new Qt;this._plane=o,s.add(o);let i=this;function r(_,E){let J=E;Object.defineProperty(i,_,{get:function(){return J!==void 0?J:E},set:function(Q){J!==Q&&(J=Q,o[_]=Q,n[_]=Q,i.dispatchEvent({type:_+"-changed",value:Q}),i.dispatchEvent(Xt))}}),i[_]=E,o[_]=E,n[_]=E}r("camera",t),r("object",void 0),r("enabled",!0),r("axis",null),r("mode","translate"),r("translationSnap",null),r("rotationSnap",null),r("scaleSnap",null),r("space","world"),r("size",1),this.viewport=null,r("dragging",!1),r("showX",!0),r("showY",!0),r("showZ",!0),r("showXY",!0),r("showYZ",!0),r("showXZ",!0),r("showXYZE",!0),r("showE",!0),r("minX",-1/0),r("maxX",1/0),r("minY",-1/0),r("maxY",1/0),r("minZ",-1/0),r("maxZ",1/0);let p=new h,f=new h,w=new A,b=new A,M=new h,V=new A,st=new h,O=new h,z=new h,L=0,R=new h;r("worldPosition",p),r("worldPositionStart",f),r("worldQuaternion",w),r("worldQuaternionStart",b),r("cameraPosition",M),r("cameraQuaternion",V),r("pointStart",st),r("pointEnd",O),r("rotationAxis",z),r("rotationAngle",L),r("eye",R),this._offset=new h,this._startNorm=new h,this._endNorm=new h,this._cameraScale=new h,this._parentPosition=new h,this._parentQuaternion=new A,this._parentQuaternionInv=new A,this._parentScale=new h,this._worldScaleStart=new h,this._worldQuaternionInv=new A,this._worldScale=new h,this._positionStart=new h,this._quaternionStart=new A,this._scaleStart=new h,this._getPointer=Be.bind(this),this._onPointerDown=We.bind(this),this._onPointerHover=Qe.bind(this),this._onPointerMove=Fe.bind(this),this._onPointerUp=qe.bind(this),e!==null&&this.connect(e)}connect(t){super.connect(t),this.domElement.addEventListener("pointerdown",this._onPointerDown),this.domElement.addEventListener("pointermove",this._onPointerHover),this.domElement.addEventListener("pointerup",this._onPointerUp),this.domElement.style.touchAction="none"}disconnect(){this.domElement.removeEventListener("pointerdown",this._onPointerDown),this.domElement.removeEventListener("pointermove",this._onPointerHover),this.domElement.removeEventListener("pointermove",this._onPointerMove),this.domElement.removeEventListener("pointerup",this._onPointerUp),this.domElement.style.touchAction=""}getHelper(){return this._root}pointerHover(t){if(this.object===void 0||this.dragging===!0)return;t!==null&&q.setFromCamera(t,this.camera);let e=kt(this._gizmo.picker[this.mode],q);e?this.axis=e.object.name:this.axis=null}pointerDown(t){if(!(this.object===void 0||this.dragging===!0||t!=null&&t.button!==0)&&this.axis!==null){t!==null&&q.setFromCamera(t,this.camera);let e=kt(this._plane,q,!0);e&&(this.object.updateMatrixWorld(),this.object.parent.updateMatrixWorld(),this._positionStart.copy(this.object.position),this._quaternionStart.copy(this.object.quaternion),this._scaleStart.copy(this.object.scale),this.object.matrixWorld.decompose(this.worldPositionStart,this.worldQuaternionStart,this._worldScaleStart),this.pointStart.copy(e.point).sub(this.worldPositionStart)),this.dragging=!0,ue.mode=this.mode,this.dispatchEvent(ue)}}pointerMove(t){let e=this.axis,s=this.mode,n=this.object,o=this.space;if(s==="scale"?o="local":(e==="E"||e==="XYZE"||e==="XYZ")&&(o="world"),n===void 0||e===null||this.dragging===!1||t!==null&&t.button!==-1)return;t!==null&&q.setFromCamera(t,this.camera);let i=kt(this._plane,q,!0);if(i){if(this.pointEnd.copy(i.point).sub(this.worldPositionStart),s==="translate")this._offset.copy(this.pointEnd).sub(this.pointStart),o==="local"&&e!=="XYZ"&&this._offset.applyQuaternion(this._worldQuaternionInv),e.indexOf("X")===-1&&(this._offset.x=0),e.indexOf("Y")===-1&&(this._offset.y=0),e.indexOf("Z")===-1&&(this._offset.z=0),o==="local"&&e!=="XYZ"?this._offset.applyQuaternion(this._quaternionStart).divide(this._parentScale):this._offset.applyQuaternion(this._parentQuaternionInv).divide(this._parentScale),n.position.copy(this._offset).add(this._positionStart),this.translationSnap&&(o==="local"&&(n.position.applyQuaternion(u.copy(this._quaternionStart).invert()),e.search("X")!==-1&&(n.position.x=Math.round(n.position.x/this.translationSnap)*this.translationSnap),e.search("Y")!==-1&&(n.position.y=Math.round(n.position.y/this.translationSnap)*this.translationSnap),e.search("Z")!==-1&&(n.position.z=Math.round(n.position.z/this.translationSnap)*this.translationSnap),n.position.applyQuaternion(this._quaternionStart)),o==="world"&&(n.getWorldPosition(m),e.search("X")!==-1&&(m.x=Math.round(m.x/this.translationSnap)*this.translationSnap),e.search("Y")!==-1&&(m.y=Math.round(m.y/this.translationSnap)*this.translationSnap),e.search("Z")!==-1&&(m.z=Math.round(m.z/this.translationSnap)*this.translationSnap),n.position.copy(n.parent.worldToLocal(m)))),n.position.x=Math.max(this.minX,Math.min(this.maxX,n.position.x)),n.position.y=Math.max(this.minY,Math.min(this.maxY,n.position.y)),n.position.z=Math.max(this.minZ,Math.min(this.maxZ,n.position.z));else if(s==="scale"){if(e.search("XYZ")!==-1){let r=this.pointEnd.length()/this.pointStart.length();this.pointEnd.dot(this.pointStart)<0&&(r*=-1),B.set(r,r,r)}else m.copy(this.pointStart),B.copy(this.pointEnd),m.applyQuaternion(this._worldQuaternionInv),B.applyQuaternion(this._worldQuaternionInv),B.divide(m),e.search("X")===-1&&(B.x=1),e.search("Y")===-1&&(B.y=1),e.search("Z")===-1&&(B.z=1);n.scale.copy(this._scaleStart).multiply(B),this.scaleSnap&&(e.search("X")!==-1&&(n.scale.x=Math.round(n.scale.x/this.scaleSnap)*this.scaleSnap||this.scaleSnap),e.search("Y")!==-1&&(n.scale.y=Math.round(n.scale.y/this.scaleSnap)*this.scaleSnap||this.scaleSnap),e.search("Z")!==-1&&(n.scale.z=Math.round(n.scale.z/this.scaleSnap)*this.scaleSnap||this.scaleSnap))}else if(s==="rotate"){this._offset.copy(this.pointEnd).sub(this.pointStart);let r=20/this.worldPosition.distanceTo(m.setFromMatrixPosition(this.camera.matrixWorld)),p=!1;e==="XYZE"?(this.rotationAxis.copy(this._offset).cross(this.eye).normalize(),this.rotationAngle=this._offset.dot(m.copy(this.rotationAxis).cross(this.eye))*r):(e==="X"||e==="Y"||e==="Z")&&(this.rotationAxis.copy(de[e]),m.copy(de[e]),o==="local"&&m.applyQuaternion(this.worldQuaternion),m.cross(this.eye),m.length()===0?p=!0:this.rotationAngle=this._offset.dot(m.normalize())*r),(e==="E"||p)&&(this.rotationAxis.copy(this.eye),this.rotationAngle=this.pointEnd.angleTo(this.pointStart),this._startNorm.copy(this.pointStart).normalize(),this._endNorm.copy(this.pointEnd).normalize(),this.rotationAngle*=this._endNorm.cross(this._startNorm).dot(this.eye)<0?1:-1),this.rotationSnap&&(this.rotationAngle=Math.round(this.rotationAngle/this.rotationSnap)*this.rotationSnap),o==="local"&&e!=="E"&&e!=="XYZE"?(n.quaternion.copy(this._quaternionStart),n.quaternion.multiply(u.setFromAxisAngle(this.rotationAxis,this.rotationAngle)).normalize()):(this.rotationAxis.applyQuaternion(this._parentQuaternionInv),n.quaternion.copy(u.setFromAxisAngle(this.rotationAxis,this.rotationAngle)),n.quaternion.multiply(this._quaternionStart).normalize())}this.dispatchEvent(Xt),this.dispatchEvent(me)}}pointerUp(t){t!==null&&t.button!==0||(this.dragging&&this.axis!==null&&(fe.mode=this.mode,this.dispatchEvent(fe)),this.dragging=!1,this.axis=null)}dispose(){this.disconnect(),this._root.dispose()}attach(t){return this.object=t,this._root.visible=!0,this}detach(){return this.object=void 0,this.axis=null,this._root.visible=!1,this}reset(){this.enabled&&this.dragging&&(this.object.position.copy(this._positionStart),this.object.quaternion.copy(this._quaternionStart),this.object.scale.copy(this._scaleStart),this.dispatchEvent(Xt),this.dispatchEvent(me),this.pointStart.copy(this.pointEnd))}getRaycaster(){return q}getMode(){return this.mode}setMode(t){this.mode=t}setTranslationSnap(t){this.translationSnap=t}setRotationSnap(t){this.rotationSnap=t}setScaleSnap(t){this.scaleSnap=t}setSize(t){this.size=t}setSpace(t){this.space=t}setColors(t,e,s,n){let o=this._gizmo.materialLib;o.xAxis.color.set(t),o.yAxis.color.set(e),o.zAxis.color.set(s),o.active.color.set(n),o.xAxisTransparent.color.set(t),o.yAxisTransparent.color.set(e),o.zAxisTransparent.color.set(s),o.activeTransparent.color.set(n),o.xAxis._color&&o.xAxis._color.set(t),o.yAxis._color&&o.yAxis._color.set(e),o.zAxis._color&&o.zAxis._color.set(s),o.active._color&&o.active._color.set(n),o.xAxisTransparent._color&&o.xAxisTransparent._color.set(t),o.yAxisTransparent._color&&o.yAxisTransparent._color.set(e),o.zAxisTransparent._color&&o.zAxisTransparent._color.set(s),o.activeTransparent._color&&o.activeTransparent._color.set(n)}};function Be(a){if(this.domElement.ownerDocument.pointerLockElement)return{x:0,y:0,button:a.button};{let t=this.domElement.getBoundingClientRect(),e=this.viewport,s,n,o,i;return e!==null?(s=e.x,n=t.height-e.y-e.w,o=e.z,i=e.w):(s=0,n=0,o=t.width,i=t.height),{x:(a.clientX-t.left-s)/o*2-1,y:-(a.clientY-t.top-n)/i*2+1,button:a.button}}}function Qe(a){if(this.enabled)switch(a.pointerType){case"mouse":case"pen":this.pointerHover(this._getPointer(a));break}}function We(a){this.enabled&&(document.pointerLockElement||this.domElement.setPointerCapture(a.pointerId),this.domElement.addEventListener("pointermove",this._onPointerMove),this.pointerHover(this._getPointer(a)),this.pointerDown(this._getPointer(a)))}function Fe(a){this.enabled&&this.pointerMove(this._getPointer(a))}function qe(a){this.enabled&&(this.domElement.releasePointerCapture(a.pointerId),this.domElement.removeEventListener("pointermove",this._onPointerMove),this.pointerUp(this._getPointer(a)))}function kt(a,t,e){let s=t.intersectObject(a,!0);for(let n=0;n<s.length;n++)if(s[n].object.visible||e)return s[n];return!1}var Pt=new Jt,d=new h(0,1,0),_e=new h(0,0,0),ye=new nt,Mt=new A,Tt=new A,Y=new h,At=new nt,dt=new h(1,0,0),G=new h(0,1,0),ut=new h(0,0,1),Dt=new h,ct=new h,pt=new h,Nt=class extends St{constructor(t){super(),this.isTransformControlsRoot=!0,this.controls=t,this.visible=!1}updateMatrixWorld(t){let e=this.controls;e.object!==void 0&&(e.object.updateMatrixWorld(),e.object.parent===null?console.error("TransformControls: The attached 3D object must be a part of the scene graph."):e.object.parent.matrixWorld.decompose(e._parentPosition,e._parentQuaternion,e._parentScale),e.object.matrixWorld.decompose(e.worldPosition,e.worldQuaternion,e._worldScale),e._parentQuaternionInv.copy(e._parentQuaternion).invert(),e._worldQuaternionInv.copy(e.worldQuaternion).invert()),e.camera.updateMatrixWorld(),e.camera.matrixWorld.decompose(e.cameraPosition,e.cameraQuaternion,e._cameraScale),e.camera.isOrthographicCamera?e.camera.getWorldDirection(e.eye).negate():e.eye.copy(e.cameraPosition).sub(e.worldPosition).normalize(),this.parent&&(At.copy(this.parent.matrixWorld).invert(),At.decompose(this.position,this.quaternion,this.scale)),super.updateMatrixWorld(t)}dispose(){this.traverse(function(t){t.geometry&&t.geometry.dispose(),t.material&&t.material.dispose()})}},Bt=class extends St{constructor(){super(),this.isTransformControlsGizmo=!0,this.type="TransformControlsGizmo";let t=new jt({depthTest:!1,depthWrite:!1,fog:!1,toneMapped:!1,transparent:!0}),e=new ee({depthTest:!1,depthWrite:!1,fog:!1,toneMapped:!1,transparent:!0}),s=t.clone();s.opacity=.15;let n=e.clone();n.opacity=.5;let o=t.clone();o.color.setHex(16711680);let i=t.clone();i.color.setHex(65280);let r=t.clone();r.color.setHex(255);let p=t.clone();p.color.setHex(16711680),p.opacity=.5;let f=t.clone();f.color.setHex(65280),f.opacity=.5;let w=t.clone();w.color.setHex(255),w.opacity=.5;let b=t.clone();b.opacity=.25;let M=t.clone();M.color.setHex(16776960),M.opacity=.25;let V=t.clone();V.color.setHex(16776960);let st=t.clone();st.color.setHex(7895160),this.materialLib={xAxis:o,yAxis:i,zAxis:r,active:V,xAxisTransparent:p,yAxisTransparent:f,zAxisTransparent:w,activeTransparent:M};let O=new P(0,.04,.1,12);O.translate(0,.05,0);let z=new v(.08,.08,.08);z.translate(0,.04,0);let L=new Lt;L.setAttribute("position",new et([0,0,0,1,0,0],3));let R=new P(.0075,.0075,.5,3);R.translate(0,.25,0);function _(j,_t){let U=new it(j,.0075,3,64,_t*Math.PI*2);return U.rotateY(Math.PI/2),U.rotateX(Math.PI/2),U}function E(){let j=new Lt;return j.setAttribute("position",new et([0,0,0,1,1,1],3)),j}let J={X:[[new l(O,o),[.5,0,0],[0,0,-Math.PI/2]],[new l(O,o),[-.5,0,0],[0,0,Math.PI/2]],[new l(R,o),[0,0,0],[0,0,-Math.PI/2]]],Y:[[new l(O,i),[0,.5,0]],[new l(O,i),[0,-.5,0],[Math.PI,0,0]],[new l(R,i)]],Z:[[new l(O,r),[0,0,.5],[Math.PI/2,0,0]],[new l(O,r),[0,0,-.5],[-Math.PI/2,0,0]],[new l(R,r),null,[Math.PI/2,0,0]]],XYZ:[[new l(new at(.1,0),b),[0,0,0]]],XY:[[new l(new v(.15,.15,.01),w),[.15,.15,0]]],YZ:[[new l(new v(.15,.15,.01),p),[0,.15,.15],[0,Math.PI/2,0]]],XZ:[[new l(new v(.15,.15,.01),f),[.15,0,.15],[-Math.PI/2,0,0]]]},Q={X:[[new l(new P(.2,0,.6,4),s),[.3,0,0],[0,0,-Math.PI/2]],[new l(new P(.2,0,.6,4),s),[-.3,0,0],[0,0,Math.PI/2]]],Y:[[new l(new P(.2,0,.6,4),s),[0,.3,0]],[new l(new P(.2,0,.6,4),s),[0,-.3,0],[0,0,Math.PI]]],Z:[[new l(new P(.2,0,.6,4),s),[0,0,.3],[Math.PI/2,0,0]],[new l(new P(.2,0,.6,4),s),[0,0,-.3],[-Math.PI/2,0,0]]],XYZ:[[new l(new at(.2,0),s)]],XY:[[new l(new v(.2,.2,.01),s),[.15,.15,0]]],YZ:[[new l(new v(.2,.2,.01),s),[0,.15,.15],[0,Math.PI/2,0]]],XZ:[[new l(new v(.2,.2,.01),s),[.15,0,.15],[-Math.PI/2,0,0]]]},ve={START:[[new l(new at(.01,2),n),null,null,null,"helper"]],END:[[new l(new at(.01,2),n),null,null,null,"helper"]],DELTA:[[new H(E(),n),null,null,null,"helper"]],X:[[new H(L,n),[-1e3,0,0],null,[1e6,1,1],"helper"]],Y:[[new H(L,n),[0,-1e3,0],[0,0,Math.PI/2],[1e6,1,1],"helper"]],Z:[[new H(L,n),[0,0,-1e3],[0,-Math.PI/2,0],[1e6,1,1],"helper"]]},Ee={XYZE:[[new l(_(.5,1),st),null,[0,Math.PI/2,0]]],X:[[new l(_(.5,.5),o)]],Y:[[new l(_(.5,.5),i),null,[0,0,-Math.PI/2]]],Z:[[new l(_(.5,.5),r),null,[0,Math.PI/2,0]]],E:[[new l(_(.75,1),M),null,[0,Math.PI/2,0]]]},Pe={AXIS:[[new H(L,n),[-1e3,0,0],null,[1e6,1,1],"helper"]]},Me={XYZE:[[new l(new se(.25,10,8),s)]],X:[[new l(new it(.5,.1,4,24),s),[0,0,0],[0,-Math.PI/2,-Math.PI/2]]],Y:[[new l(new it(.5,.1,4,24),s),[0,0,0],[Math.PI/2,0,0]]],Z:[[new l(new it(.5,.1,4,24),s),[0,0,0],[0,0,-Math.PI/2]]],E:[[new l(new it(.75,.1,2,24),s)]]},De={X:[[new l(z,o),[.5,0,0],[0,0,-Math.PI/2]],[new l(R,o),[0,0,0],[0,0,-Math.PI/2]],[new l(z,o),[-.5,0,0],[0,0,Math.PI/2]]],Y:[[new l(z,i),[0,.5,0]],[new l(R,i)],[new l(z,i),[0,-.5,0],[0,0,Math.PI]]],Z:[[new l(z,r),[0,0,.5],[Math.PI/2,0,0]],[new l(R,r),[0,0,0],[Math.PI/2,0,0]],[new l(z,r),[0,0,-.5],[-Math.PI/2,0,0]]],XY:[[new l(new v(.15,.15,.01),w),[.15,.15,0]]],YZ:[[new l(new v(.15,.15,.01),p),[0,.15,.15],[0,Math.PI/2,0]]],XZ:[[new l(new v(.15,.15,.01),f),[.15,0,.15],[-Math.PI/2,0,0]]],XYZ:[[new l(new v(.1,.1,.1),b)]]},Te={X:[[new l(new P(.2,0,.6,4),s),[.3,0,0],[0,0,-Math.PI/2]],[new l(new P(.2,0,.6,4),s),[-.3,0,0],[0,0,Math.PI/2]]],Y:[[new l(new P(.2,0,.6,4),s),[0,.3,0]],[new l(new P(.2,0,.6,4),s),[0,-.3,0],[0,0,Math.PI]]],Z:[[new l(new P(.2,0,.6,4),s),[0,0,.3],[Math.PI/2,0,0]],[new l(new P(.2,0,.6,4),s),[0,0,-.3],[-Math.PI/2,0,0]]],XY:[[new l(new v(.2,.2,.01),s),[.15,.15,0]]],YZ:[[new l(new v(.2,.2,.01),s),[0,.15,.15],[0,Math.PI/2,0]]],XZ:[[new l(new v(.2,.2,.01),s),[.15,0,.15],[-Math.PI/2,0,0]]],XYZ:[[new l(new v(.2,.2,.2),s),[0,0,0]]]},Ae={X:[[new H(L,n),[-1e3,0,0],null,[1e6,1,1],"helper"]],Y:[[new H(L,n),[0,-1e3,0],[0,0,Math.PI/2],[1e6,1,1],"helper"]],Z:[[new H(L,n),[0,0,-1e3],[0,-Math.PI/2,0],[1e6,1,1],"helper"]]};function k(j){let _t=new St;for(let U in j)for(let $=j[U].length;$--;){let D=j[U][$][0].clone(),yt=j[U][$][1],wt=j[U][$][2],bt=j[U][$][3],Ie=j[U][$][4];D.name=U,D.tag=Ie,yt&&D.position.set(yt[0],yt[1],yt[2]),wt&&D.rotation.set(wt[0],wt[1],wt[2]),bt&&D.scale.set(bt[0],bt[1],bt[2]),D.updateMatrix();let Kt=D.geometry.clone();Kt.applyMatrix4(D.matrix),D.geometry=Kt,D.renderOrder=1/0,D.position.set(0,0,0),D.rotation.set(0,0,0),D.scale.set(1,1,1),_t.add(D)}return _t}this.gizmo={},this.picker={},this.helper={},this.add(this.gizmo.translate=k(J)),this.add(this.gizmo.rotate=k(Ee)),this.add(this.gizmo.scale=k(De)),this.add(this.picker.translate=k(Q)),this.add(this.picker.rotate=k(Me)),this.add(this.picker.scale=k(Te)),this.add(this.helper.translate=k(ve)),this.add(this.helper.rotate=k(Pe)),this.add(this.helper.scale=k(Ae)),this.picker.translate.visible=!1,this.picker.rotate.visible=!1,this.picker.scale.visible=!1}updateMatrixWorld(t){let s=(this.mode==="scale"?"local":this.space)==="local"?this.worldQuaternion:Tt;this.gizmo.translate.visible=this.mode==="translate",this.gizmo.rotate.visible=this.mode==="rotate",this.gizmo.scale.visible=this.mode==="scale",this.helper.translate.visible=this.mode==="translate",this.helper.rotate.visible=this.mode==="rotate",this.helper.scale.visible=this.mode==="scale";let n=[];n=n.concat(this.picker[this.mode].children),n=n.concat(this.gizmo[this.mode].children),n=n.concat(this.helper[this.mode].children);for(let o=0;o<n.length;o++){let i=n[o];i.visible=!0,i.rotation.set(0,0,0),i.position.copy(this.worldPosition);let r;if(this.camera.isOrthographicCamera?r=(this.camera.top-this.camera.bottom)/this.camera.zoom:r=this.worldPosition.distanceTo(this.cameraPosition)*Math.min(1.9*Math.tan(Math.PI*this.camera.fov/360)/this.camera.zoom,7),i.scale.set(1,1,1).multiplyScalar(r*this.size/4),i.tag==="helper"){i.visible=!1,i.name==="AXIS"?(i.visible=!!this.axis,this.axis==="X"&&(u.setFromEuler(Pt.set(0,0,0)),i.quaternion.copy(s).multiply(u),Math.abs(d.copy(dt).applyQuaternion(s).dot(this.eye))>.9&&(i.visible=!1)),this.axis==="Y"&&(u.setFromEuler(Pt.set(0,0,Math.PI/2)),i.quaternion.copy(s).multiply(u),Math.abs(d.copy(G).applyQuaternion(s).dot(this.eye))>.9&&(i.visible=!1)),this.axis==="Z"&&(u.setFromEuler(Pt.set(0,Math.PI/2,0)),i.quaternion.copy(s).multiply(u),Math.abs(d.copy(ut).applyQuaternion(s).dot(this.eye))>.9&&(i.visible=!1)),this.axis==="XYZE"&&(u.setFromEuler(Pt.set(0,Math.PI/2,0)),d.copy(this.rotationAxis),i.quaternion.setFromRotationMatrix(ye.lookAt(_e,d,G)),i.quaternion.multiply(u),i.visible=this.dragging),this.axis==="E"&&(i.visible=!1)):i.name==="START"?(i.position.copy(this.worldPositionStart),i.visible=this.dragging):i.name==="END"?(i.position.copy(this.worldPosition),i.visible=this.dragging):i.name==="DELTA"?(i.position.copy(this.worldPositionStart),i.quaternion.copy(this.worldQuaternionStart),m.set(1e-10,1e-10,1e-10).add(this.worldPositionStart).sub(this.worldPosition).multiplyScalar(-1),m.applyQuaternion(this.worldQuaternionStart.clone().invert()),i.scale.copy(m),i.visible=this.dragging):(i.quaternion.copy(s),this.dragging?i.position.copy(this.worldPositionStart):i.position.copy(this.worldPosition),this.axis&&(i.visible=this.axis.search(i.name)!==-1));continue}i.quaternion.copy(s),this.mode==="translate"||this.mode==="scale"?(i.name==="X"&&Math.abs(d.copy(dt).applyQuaternion(s).dot(this.eye))>.99&&(i.scale.set(1e-10,1e-10,1e-10),i.visible=!1),i.name==="Y"&&Math.abs(d.copy(G).applyQuaternion(s).dot(this.eye))>.99&&(i.scale.set(1e-10,1e-10,1e-10),i.visible=!1),i.name==="Z"&&Math.abs(d.copy(ut).applyQuaternion(s).dot(this.eye))>.99&&(i.scale.set(1e-10,1e-10,1e-10),i.visible=!1),i.name==="XY"&&Math.abs(d.copy(ut).applyQuaternion(s).dot(this.eye))<.2&&(i.scale.set(1e-10,1e-10,1e-10),i.visible=!1),i.name==="YZ"&&Math.abs(d.copy(dt).applyQuaternion(s).dot(this.eye))<.2&&(i.scale.set(1e-10,1e-10,1e-10),i.visible=!1),i.name==="XZ"&&Math.abs(d.copy(G).applyQuaternion(s).dot(this.eye))<.2&&(i.scale.set(1e-10,1e-10,1e-10),i.visible=!1)):this.mode==="rotate"&&(Mt.copy(s),d.copy(this.eye).applyQuaternion(u.copy(s).invert()),i.name.search("E")!==-1&&i.quaternion.setFromRotationMatrix(ye.lookAt(this.eye,_e,G)),i.name==="X"&&(u.setFromAxisAngle(dt,Math.atan2(-d.y,d.z)),u.multiplyQuaternions(Mt,u),i.quaternion.copy(u)),i.name==="Y"&&(u.setFromAxisAngle(G,Math.atan2(d.x,d.z)),u.multiplyQuaternions(Mt,u),i.quaternion.copy(u)),i.name==="Z"&&(u.setFromAxisAngle(ut,Math.atan2(d.y,d.x)),u.multiplyQuaternions(Mt,u),i.quaternion.copy(u))),i.visible=i.visible&&(i.name.indexOf("X")===-1||this.showX),i.visible=i.visible&&(i.name.indexOf("Y")===-1||this.showY),i.visible=i.visible&&(i.name.indexOf("Z")===-1||this.showZ),i.visible=i.visible&&(i.name.indexOf("E")===-1||this.showX&&this.showY&&this.showZ),i.visible=i.visible&&(i.name.indexOf("XY")===-1||this.showXY),i.visible=i.visible&&(i.name.indexOf("YZ")===-1||this.showYZ),i.visible=i.visible&&(i.name.indexOf("XZ")===-1||this.showXZ),i.visible=i.visible&&(i.name!=="E"||this.showE),i.visible=i.visible&&(i.name!=="XYZE"||this.showXYZE),i.material._color=i.material._color||i.material.color.clone(),i.material._opacity=i.material._opacity||i.material.opacity,i.material.color.copy(i.material._color),i.material.opacity=i.material._opacity,this.enabled&&this.axis&&(i.name===this.axis?(i.material.color.copy(this.materialLib.active.color),i.material.opacity=1):this.axis.split("").some(function(p){return i.name===p})&&(i.material.color.copy(this.materialLib.active.color),i.material.opacity=1))}super.updateMatrixWorld(t)}},Qt=class extends l{constructor(){super(new ie(1e5,1e5,2,2),new jt({visible:!1,wireframe:!0,side:Vt,transparent:!0,opacity:.1,toneMapped:!1})),this.isTransformControlsPlane=!0,this.type="TransformControlsPlane"}updateMatrixWorld(t){let e=this.space;switch(this.position.copy(this.worldPosition),this.mode==="scale"&&(e="local"),Dt.copy(dt).applyQuaternion(e==="local"?this.worldQuaternion:Tt),ct.copy(G).applyQuaternion(e==="local"?this.worldQuaternion:Tt),pt.copy(ut).applyQuaternion(e==="local"?this.worldQuaternion:Tt),d.copy(ct),this.mode){case"translate":case"scale":switch(this.axis){case"X":d.copy(this.eye).cross(Dt),Y.copy(Dt).cross(d);break;case"Y":d.copy(this.eye).cross(ct),Y.copy(ct).cross(d);break;case"Z":d.copy(this.eye).cross(pt),Y.copy(pt).cross(d);break;case"XY":Y.copy(pt);break;case"YZ":Y.copy(Dt);break;case"XZ":d.copy(pt),Y.copy(ct);break;case"XYZ":case"E":Y.set(0,0,0);break}break;default:Y.set(0,0,0)}Y.length()===0?this.quaternion.copy(this.cameraQuaternion):(At.lookAt(m.set(0,0,0),Y,d),this.quaternion.setFromRotationMatrix(At)),super.updateMatrixWorld(t)}};var we=new ot,It=new h,ft=class extends ae{constructor(){super(),this.isLineSegmentsGeometry=!0,this.type="LineSegmentsGeometry";let t=[-1,2,0,1,2,0,-1,1,0,1,1,0,-1,0,0,1,0,0,-1,-1,0,1,-1,0],e=[-1,2,1,2,-1,1,1,1,-1,-1,1,-1,-1,-2,1,-2],s=[0,2,1,2,3,1,2,4,3,4,5,3,4,6,5,6,7,5];this.setIndex(s),this.setAttribute("position",new et(t,3)),this.setAttribute("uv",new et(e,2))}applyMatrix4(t){let e=this.attributes.instanceStart,s=this.attributes.instanceEnd;return e!==void 0&&(e.applyMatrix4(t),s.applyMatrix4(t),e.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this}setPositions(t){let e;t instanceof Float32Array?e=t:Array.isArray(t)&&(e=new Float32Array(t));let s=new rt(e,6,1);return this.setAttribute("instanceStart",new N(s,3,0)),this.setAttribute("instanceEnd",new N(s,3,3)),this.instanceCount=this.attributes.instanceStart.count,this.computeBoundingBox(),this.computeBoundingSphere(),this}setColors(t){let e;t instanceof Float32Array?e=t:Array.isArray(t)&&(e=new Float32Array(t));let s=new rt(e,6,1);return this.setAttribute("instanceColorStart",new N(s,3,0)),this.setAttribute("instanceColorEnd",new N(s,3,3)),this}fromWireframeGeometry(t){return this.setPositions(t.attributes.position.array),this}fromEdgesGeometry(t){return this.setPositions(t.attributes.position.array),this}fromMesh(t){return this.fromWireframeGeometry(new ne(t.geometry)),this}fromLineSegments(t){let e=t.geometry;return this.setPositions(e.attributes.position.array),this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new ot);let t=this.attributes.instanceStart,e=this.attributes.instanceEnd;t!==void 0&&e!==void 0&&(this.boundingBox.setFromBufferAttribute(t),we.setFromBufferAttribute(e),this.boundingBox.union(we))}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new xt),this.boundingBox===null&&this.computeBoundingBox();let t=this.attributes.instanceStart,e=this.attributes.instanceEnd;if(t!==void 0&&e!==void 0){let s=this.boundingSphere.center;this.boundingBox.getCenter(s);let n=0;for(let o=0,i=t.count;o<i;o++)It.fromBufferAttribute(t,o),n=Math.max(n,s.distanceToSquared(It)),It.fromBufferAttribute(e,o),n=Math.max(n,s.distanceToSquared(It));this.boundingSphere.radius=Math.sqrt(n),isNaN(this.boundingSphere.radius)&&console.error("THREE.LineSegmentsGeometry.computeBoundingSphere(): Computed radius is NaN. The instanced position data is likely to have NaN values.",this)}}toJSON(){}};lt.line={worldUnits:{value:1},linewidth:{value:1},resolution:{value:new T},dashOffset:{value:0},dashScale:{value:1},dashSize:{value:1},gapSize:{value:1}};ht.line={uniforms:Rt.merge([lt.common,lt.fog,lt.line]),vertexShader:`
		#include <common>
		#include <color_pars_vertex>
		#include <fog_pars_vertex>
		#include <logdepthbuf_pars_vertex>
		#include <clipping_planes_pars_vertex>

		uniform float linewidth;
		uniform vec2 resolution;

		attribute vec3 instanceStart;
		attribute vec3 instanceEnd;

		attribute vec3 instanceColorStart;
		attribute vec3 instanceColorEnd;

		#ifdef WORLD_UNITS

			varying vec4 worldPos;
			varying vec3 worldStart;
			varying vec3 worldEnd;

			#ifdef USE_DASH

				varying vec2 vUv;

			#endif

		#else

			varying vec2 vUv;

		#endif

		#ifdef USE_DASH

			uniform float dashScale;
			attribute float instanceDistanceStart;
			attribute float instanceDistanceEnd;
			varying float vLineDistance;

		#endif

		float trimSegmentAlpha( const in vec4 start, const in vec4 end ) {

			// compute the interpolation factor needed to trim the segment so it terminates
			// between the camera plane and the near plane

			// conservative estimate of the near plane
			float a = projectionMatrix[ 2 ][ 2 ]; // 3nd entry in 3th column
			float b = projectionMatrix[ 3 ][ 2 ]; // 3nd entry in 4th column

			// we need different nearEstimate formula for reversed and default depth buffer
			// a is positive with a reversed depth buffer so it can be used for controlling the code flow
			float nearEstimate = ( a > 0.0 ) ? ( - b / ( a + 1.0 ) ) : ( - 0.5 * b / a );

			return ( nearEstimate - start.z ) / ( end.z - start.z );

		}

		void main() {

			#ifdef USE_COLOR

				vColor.xyz = ( position.y < 0.5 ) ? instanceColorStart : instanceColorEnd;

			#endif

			float aspect = resolution.x / resolution.y;

			// camera space
			vec4 start = modelViewMatrix * vec4( instanceStart, 1.0 );
			vec4 end = modelViewMatrix * vec4( instanceEnd, 1.0 );

			#ifdef USE_DASH

				float lineDistanceStart = dashScale * instanceDistanceStart;
				float lineDistanceEnd = dashScale * instanceDistanceEnd;

			#endif

			#ifdef WORLD_UNITS

				worldStart = start.xyz;
				worldEnd = end.xyz;

			#else

				vUv = uv;

			#endif

			// special case for perspective projection, and segments that terminate either in, or behind, the camera plane
			// clearly the gpu firmware has a way of addressing this issue when projecting into ndc space
			// but we need to perform ndc-space calculations in the shader, so we must address this issue directly
			// perhaps there is a more elegant solution -- WestLangley

			bool perspective = ( projectionMatrix[ 2 ][ 3 ] == - 1.0 ); // 4th entry in the 3rd column

			if ( perspective ) {

				if ( start.z < 0.0 && end.z >= 0.0 ) {

					float alpha = trimSegmentAlpha( start, end );
					end.xyz = mix( start.xyz, end.xyz, alpha );

					#ifdef USE_DASH

						lineDistanceEnd = mix( lineDistanceStart, lineDistanceEnd, alpha );

					#endif

				} else if ( end.z < 0.0 && start.z >= 0.0 ) {

					float alpha = trimSegmentAlpha( end, start );
					start.xyz = mix( end.xyz, start.xyz, alpha );

					#ifdef USE_DASH

						lineDistanceStart = mix( lineDistanceEnd, lineDistanceStart, alpha );

					#endif

				}

			}

			#ifdef USE_DASH

				vLineDistance = ( position.y < 0.5 ) ? lineDistanceStart : lineDistanceEnd;
				vUv = uv;

			#endif

			// clip space
			vec4 clipStart = projectionMatrix * start;
			vec4 clipEnd = projectionMatrix * end;

			// ndc space
			vec3 ndcStart = clipStart.xyz / clipStart.w;
			vec3 ndcEnd = clipEnd.xyz / clipEnd.w;

			// direction
			vec2 dir = ndcEnd.xy - ndcStart.xy;

			// account for clip-space aspect ratio
			dir.x *= aspect;
			dir = normalize( dir );

			#ifdef WORLD_UNITS

				vec3 worldDir = normalize( end.xyz - start.xyz );
				vec3 tmpFwd = perspective ? normalize( mix( start.xyz, end.xyz, 0.5 ) ) : vec3( 0.0, 0.0, - 1.0 );
				vec3 worldUp = normalize( cross( worldDir, tmpFwd ) );
				vec3 worldFwd = cross( worldDir, worldUp );
				worldPos = position.y < 0.5 ? start: end;

				// height offset
				float hw = linewidth * 0.5;
				worldPos.xyz += position.x < 0.0 ? hw * worldUp : - hw * worldUp;

				// don't extend the line if we're rendering dashes because we
				// won't be rendering the endcaps
				#ifndef USE_DASH

					// cap extension
					worldPos.xyz += position.y < 0.5 ? - hw * worldDir : hw * worldDir;

					// add width to the box
					worldPos.xyz += worldFwd * hw;

					// endcaps
					if ( position.y > 1.0 || position.y < 0.0 ) {

						worldPos.xyz -= worldFwd * 2.0 * hw;

					}

				#endif

				// project the worldpos
				vec4 clip = projectionMatrix * worldPos;

				// shift the depth of the projected points so the line
				// segments overlap neatly
				vec3 clipPose = ( position.y < 0.5 ) ? ndcStart : ndcEnd;

				// only shift the depth of vertices in front of the camera (#35137)
				if ( clip.w > 0.0 ) clip.z = clipPose.z * clip.w;

			#else

				vec2 offset = vec2( dir.y, - dir.x );
				// undo aspect ratio adjustment
				dir.x /= aspect;
				offset.x /= aspect;

				// sign flip
				if ( position.x < 0.0 ) offset *= - 1.0;

				// endcaps
				if ( position.y < 0.0 ) {

					offset += - dir;

				} else if ( position.y > 1.0 ) {

					offset += dir;

				}

				// adjust for linewidth
				offset *= linewidth;

				// adjust for clip-space to screen-space conversion // maybe resolution should be based on viewport ...
				offset /= resolution.y;

				// select end
				vec4 clip = ( position.y < 0.5 ) ? clipStart : clipEnd;

				// back to clip space
				offset *= clip.w;

				clip.xy += offset;

			#endif

			gl_Position = clip;

			vec4 mvPosition = ( position.y < 0.5 ) ? start : end; // this is an approximation

			#include <logdepthbuf_vertex>
			#include <clipping_planes_vertex>
			#include <fog_vertex>

		}
		`,fragmentShader:`
		uniform vec3 diffuse;
		uniform float opacity;
		uniform float linewidth;

		#ifdef USE_DASH

			uniform float dashOffset;
			uniform float dashSize;
			uniform float gapSize;

		#endif

		varying float vLineDistance;

		#ifdef WORLD_UNITS

			varying vec4 worldPos;
			varying vec3 worldStart;
			varying vec3 worldEnd;

			#ifdef USE_DASH

				varying vec2 vUv;

			#endif

		#else

			varying vec2 vUv;

		#endif

		#include <common>
		#include <color_pars_fragment>
		#include <fog_pars_fragment>
		#include <logdepthbuf_pars_fragment>
		#include <clipping_planes_pars_fragment>

		vec2 closestLineToLine(vec3 p1, vec3 p2, vec3 p3, vec3 p4) {

			float mua;
			float mub;

			vec3 p13 = p1 - p3;
			vec3 p43 = p4 - p3;

			vec3 p21 = p2 - p1;

			float d1343 = dot( p13, p43 );
			float d4321 = dot( p43, p21 );
			float d1321 = dot( p13, p21 );
			float d4343 = dot( p43, p43 );
			float d2121 = dot( p21, p21 );

			float denom = d2121 * d4343 - d4321 * d4321;

			float numer = d1343 * d4321 - d1321 * d4343;

			mua = numer / denom;
			mua = clamp( mua, 0.0, 1.0 );
			mub = ( d1343 + d4321 * ( mua ) ) / d4343;
			mub = clamp( mub, 0.0, 1.0 );

			return vec2( mua, mub );

		}

		void main() {

			float alpha = opacity;
			vec4 diffuseColor = vec4( diffuse, alpha );

			#include <clipping_planes_fragment>

			#ifdef USE_DASH

				if ( vUv.y < - 1.0 || vUv.y > 1.0 ) discard; // discard endcaps

				if ( mod( vLineDistance + dashOffset, dashSize + gapSize ) > dashSize ) discard; // todo - FIX

			#endif

			#ifdef WORLD_UNITS

				float len;

				if ( isOrthographic ) {

					// View rays are parallel to the z axis so the distance reduces to camera-space XY
					vec2 lineDir = worldEnd.xy - worldStart.xy;
					float t = clamp( dot( worldPos.xy - worldStart.xy, lineDir ) / dot( lineDir, lineDir ), 0.0, 1.0 );
					len = length( worldStart.xy + lineDir * t - worldPos.xy );

				} else {

					// Find the closest points on the view ray and the line segment
					vec3 rayEnd = normalize( worldPos.xyz ) * 1e5;
					vec3 lineDir = worldEnd - worldStart;
					vec2 params = closestLineToLine( worldStart, worldEnd, vec3( 0.0, 0.0, 0.0 ), rayEnd );

					vec3 p1 = worldStart + lineDir * params.x;
					vec3 p2 = rayEnd * params.y;
					vec3 delta = p1 - p2;
					len = length( delta );

				}

				float norm = len / linewidth;

				#ifndef USE_DASH

					#ifdef USE_ALPHA_TO_COVERAGE

						float dnorm = fwidth( norm );
						alpha = 1.0 - smoothstep( 0.5 - dnorm, 0.5 + dnorm, norm );

					#else

						if ( norm > 0.5 ) {

							discard;

						}

					#endif

				#endif

			#else

				#ifdef USE_ALPHA_TO_COVERAGE

					// artifacts appear on some hardware if a derivative is taken within a conditional
					float a = vUv.x;
					float b = ( vUv.y > 0.0 ) ? vUv.y - 1.0 : vUv.y + 1.0;
					float len2 = a * a + b * b;
					float dlen = fwidth( len2 );

					if ( abs( vUv.y ) > 1.0 ) {

						alpha = 1.0 - smoothstep( 1.0 - dlen, 1.0 + dlen, len2 );

					}

				#else

					if ( abs( vUv.y ) > 1.0 ) {

						float a = vUv.x;
						float b = ( vUv.y > 0.0 ) ? vUv.y - 1.0 : vUv.y + 1.0;
						float len2 = a * a + b * b;

						if ( len2 > 1.0 ) discard;

					}

				#endif

			#endif

			#include <logdepthbuf_fragment>
			#include <color_fragment>

			gl_FragColor = vec4( diffuseColor.rgb, alpha );

			#include <tonemapping_fragment>
			#include <colorspace_fragment>
			#include <fog_fragment>
			#include <premultiplied_alpha_fragment>

		}
		`};var mt=class extends oe{constructor(t){super({type:"LineMaterial",uniforms:Rt.clone(ht.line.uniforms),vertexShader:ht.line.vertexShader,fragmentShader:ht.line.fragmentShader,clipping:!0}),this.isLineMaterial=!0,this.setValues(t)}get color(){return this.uniforms.diffuse.value}set color(t){this.uniforms.diffuse.value=t}get worldUnits(){return"WORLD_UNITS"in this.defines}set worldUnits(t){t===!0!==this.worldUnits&&(this.needsUpdate=!0),t===!0?this.defines.WORLD_UNITS="":delete this.defines.WORLD_UNITS}get linewidth(){return this.uniforms.linewidth.value}set linewidth(t){this.uniforms.linewidth&&(this.uniforms.linewidth.value=t)}get dashed(){return"USE_DASH"in this.defines}set dashed(t){t===!0!==this.dashed&&(this.needsUpdate=!0),t===!0?this.defines.USE_DASH="":delete this.defines.USE_DASH}get dashScale(){return this.uniforms.dashScale.value}set dashScale(t){this.uniforms.dashScale.value=t}get dashSize(){return this.uniforms.dashSize.value}set dashSize(t){this.uniforms.dashSize.value=t}get dashOffset(){return this.uniforms.dashOffset.value}set dashOffset(t){this.uniforms.dashOffset.value=t}get gapSize(){return this.uniforms.gapSize.value}set gapSize(t){this.uniforms.gapSize.value=t}get opacity(){return this.uniforms.opacity.value}set opacity(t){this.uniforms&&(this.uniforms.opacity.value=t)}get resolution(){return this.uniforms.resolution.value}set resolution(t){this.uniforms.resolution.value.copy(t)}get alphaToCoverage(){return"USE_ALPHA_TO_COVERAGE"in this.defines}set alphaToCoverage(t){this.defines&&(t===!0!==this.alphaToCoverage&&(this.needsUpdate=!0),t===!0?this.defines.USE_ALPHA_TO_COVERAGE="":delete this.defines.USE_ALPHA_TO_COVERAGE)}};var Wt=new tt,be=new h,ge=new h,g=new tt,S=new tt,C=new tt,Ft=new h,qt=new nt,x=new le,Se=new h,Ot=new ot,zt=new xt,Z=new tt,X,K;function xe(a,t,e){return Z.set(0,0,-t,1).applyMatrix4(a.projectionMatrix),Z.multiplyScalar(1/Z.w),Z.x=K/e.width,Z.y=K/e.height,Z.applyMatrix4(a.projectionMatrixInverse),Z.multiplyScalar(1/Z.w),Math.abs(Math.max(Z.x,Z.y))}function Ge(a,t){let e=a.matrixWorld,s=a.geometry,n=s.attributes.instanceStart,o=s.attributes.instanceEnd,i=Math.min(s.instanceCount,n.count);for(let r=0,p=i;r<p;r++){x.start.fromBufferAttribute(n,r),x.end.fromBufferAttribute(o,r),x.applyMatrix4(e);let f=new h,w=new h;X.distanceSqToSegment(x.start,x.end,w,f),w.distanceTo(f)<K*.5&&t.push({point:w,pointOnLine:f,distance:X.origin.distanceTo(w),object:a,face:null,faceIndex:r,uv:null,uv1:null})}}function Ke(a,t,e){let s=t.projectionMatrix,o=a.material.resolution,i=a.matrixWorld,r=a.geometry,p=r.attributes.instanceStart,f=r.attributes.instanceEnd,w=Math.min(r.instanceCount,p.count),b=-t.near;X.at(1,C),C.w=1,C.applyMatrix4(t.matrixWorldInverse),C.applyMatrix4(s),C.multiplyScalar(1/C.w),C.x*=o.x/2,C.y*=o.y/2,C.z=0,Ft.copy(C),qt.multiplyMatrices(t.matrixWorldInverse,i);for(let M=0,V=w;M<V;M++){if(g.fromBufferAttribute(p,M),S.fromBufferAttribute(f,M),g.w=1,S.w=1,g.applyMatrix4(qt),S.applyMatrix4(qt),g.z>b&&S.z>b)continue;if(g.z>b){let _=g.z-S.z,E=(g.z-b)/_;g.lerp(S,E)}else if(S.z>b){let _=S.z-g.z,E=(S.z-b)/_;S.lerp(g,E)}g.applyMatrix4(s),S.applyMatrix4(s),g.multiplyScalar(1/g.w),S.multiplyScalar(1/S.w),g.x*=o.x/2,g.y*=o.y/2,S.x*=o.x/2,S.y*=o.y/2,x.start.copy(g),x.start.z=0,x.end.copy(S),x.end.z=0;let O=x.closestPointToPointParameter(Ft,!0);x.at(O,Se);let z=gt.lerp(g.z,S.z,O),L=z>=-1&&z<=1,R=Ft.distanceTo(Se)<K*.5;if(L&&R){x.start.fromBufferAttribute(p,M),x.end.fromBufferAttribute(f,M),x.start.applyMatrix4(i),x.end.applyMatrix4(i);let _=new h,E=new h;X.distanceSqToSegment(x.start,x.end,E,_),e.push({point:E,pointOnLine:_,distance:X.origin.distanceTo(E),object:a,face:null,faceIndex:M,uv:null,uv1:null})}}}var Gt=class extends l{constructor(t=new ft,e=new mt({color:Math.random()*16777215})){super(t,e),this.isLineSegments2=!0,this.type="LineSegments2"}computeLineDistances(){let t=this.geometry,e=t.attributes.instanceStart,s=t.attributes.instanceEnd,n=new Float32Array(2*e.count);for(let i=0,r=0,p=e.count;i<p;i++,r+=2)be.fromBufferAttribute(e,i),ge.fromBufferAttribute(s,i),n[r]=r===0?0:n[r-1],n[r+1]=n[r]+be.distanceTo(ge);let o=new rt(n,2,1);return t.setAttribute("instanceDistanceStart",new N(o,1,0)),t.setAttribute("instanceDistanceEnd",new N(o,1,1)),this}raycast(t,e){let s=this.material.worldUnits,n=t.camera;if(n===null&&!s&&console.error('LineSegments2: "Raycaster.camera" needs to be set in order to raycast against LineSegments2 while worldUnits is set to false.'),s===!1&&(this.material.resolution.x===0||this.material.resolution.y===0))return;let o=t.params.Line2!==void 0&&t.params.Line2.threshold||0;X=t.ray;let i=this.matrixWorld,r=this.geometry,p=this.material;K=p.linewidth+o,r.boundingSphere===null&&r.computeBoundingSphere(),zt.copy(r.boundingSphere).applyMatrix4(i);let f;if(s)f=K*.5;else{let b=Math.max(n.near,zt.distanceToPoint(X.origin));f=xe(n,b,p.resolution)}if(zt.radius+=f,X.intersectsSphere(zt)===!1)return;r.boundingBox===null&&r.computeBoundingBox(),Ot.copy(r.boundingBox).applyMatrix4(i);let w;if(s)w=K*.5;else{let b=Math.max(n.near,Ot.distanceToPoint(X.origin));w=xe(n,b,p.resolution)}Ot.expandByScalar(w),X.intersectsBox(Ot)!==!1&&(s?Ge(this,e):Ke(this,n,e))}onBeforeRender(t){let e=this.material.uniforms;e&&e.resolution&&(t.getViewport(Wt),this.material.uniforms.resolution.value.set(Wt.z,Wt.w))}};export{Ki as ACESFilmicToneMapping,mi as AddEquation,Qi as AddOperation,Cn as AdditiveAnimationBlendMode,ci as AdditiveBlending,Ji as AgXToneMapping,Ls as AlphaFormat,Mo as AlwaysCompare,Ui as AlwaysDepth,wo as AlwaysStencilFunc,Dl as AmbientLight,Gl as AnimationAction,al as AnimationClip,dl as AnimationLoader,Kl as AnimationMixer,ql as AnimationObjectGroup,Wr as AnimationUtils,ur as ArcCurve,Xl as ArrayCamera,_h as ArrowHelper,ts as AttachedBindMode,Nl as Audio,Ql as AudioAnalyser,Ul as AudioContext,Hl as AudioListener,Yl as AudioLoader,yh as AxesHelper,ri as BackSide,Hn as BasicDepthPacking,ii as BasicShadowMap,Ha as BatchedMesh,Vr as BezierInterpolant,Ra as Bone,$r as BooleanKeyframeTrack,nh as Box2,ot as Box3,fh as Box3Helper,v as BoxGeometry,uh as BoxHelper,ga as BufferAttribute,Lt as BufferGeometry,Ll as BufferGeometryLoader,Ss as ByteType,rl as Cache,Sl as Camera,dh as CameraHelper,tr as CanvasTexture,or as CapsuleGeometry,fr as CatmullRomCurve3,Gi as CineonToneMapping,ar as CircleGeometry,ls as ClampToEdgeWrapping,eh as Clock,fa as Color,tl as ColorKeyframeTrack,ta as ColorManagement,No as Compatibility,Va as CompressedArrayTexture,Ja as CompressedCubeTexture,Ka as CompressedTexture,ul as CompressedTextureLoader,rr as ConeGeometry,Li as ConstantAlphaFactor,Oi as ConstantColorFactor,vt as Controls,Zl as CubeCamera,sr as CubeDepthTexture,ss as CubeReflectionMapping,ns as CubeRefractionMapping,$a as CubeTexture,ml as CubeTextureLoader,mr as CubicBezierCurve,_r as CubicBezierCurve3,qr as CubicInterpolant,$e as CullFaceBack,ti as CullFaceFront,ei as CullFaceFrontBack,Je as CullFaceNone,pr as Curve,xr as CurvePath,ui as CustomBlending,Vi as CustomToneMapping,P as CylinderGeometry,ih as Cylindrical,ha as Data3DTexture,ra as DataArrayTexture,Ua as DataTexture,_l as DataTextureLoader,ba as DataUtils,ao as DecrementStencilOp,lo as DecrementWrapStencilOp,hl as DefaultLoadingManager,Us as DepthFormat,Ys as DepthStencilFormat,ir as DepthTexture,es as DetachedBindMode,Ml as DirectionalLight,ph as DirectionalLightHelper,Kr as DiscreteInterpolant,hr as DodecahedronGeometry,Vt as DoubleSide,Mi as DstAlphaFactor,Ti as DstColorFactor,jo as DynamicCopyUsage,To as DynamicDrawUsage,Oo as DynamicReadUsage,cr as EdgesGeometry,dr as EllipseCurve,So as EqualCompare,Zi as EqualDepth,uo as EqualStencilFunc,os as EquirectangularReflectionMapping,as as EquirectangularRefractionMapping,Jt as Euler,Jo as EventDispatcher,nr as ExternalTexture,Mr as ExtrudeGeometry,pl as FileLoader,Ta as Float16BufferAttribute,et as Float32BufferAttribute,Ms as FloatType,_a as Fog,ma as FogExp2,Ga as FramebufferTexture,ai as FrontSide,Xa as Frustum,ka as FrustumArray,th as GLBufferAttribute,Uo as GLSL1,Yo as GLSL3,vo as GreaterCompare,ki as GreaterDepth,Po as GreaterEqualCompare,Xi as GreaterEqualDepth,yo as GreaterEqualStencilFunc,mo as GreaterStencilFunc,hh as GridHelper,da as Group,er as HTMLTexture,Ds as HalfFloatType,bl as HemisphereLight,lh as HemisphereLightHelper,Dr as IcosahedronGeometry,Rl as ImageBitmapLoader,fl as ImageLoader,ea as ImageUtils,oo as IncrementStencilOp,ro as IncrementWrapStencilOp,Ca as InstancedBufferAttribute,ae as InstancedBufferGeometry,rt as InstancedInterleavedBuffer,Za as InstancedMesh,Ea as Int16BufferAttribute,Ma as Int32BufferAttribute,Sa as Int8BufferAttribute,Es as IntType,Aa as InterleavedBuffer,N as InterleavedBufferAttribute,Fr as Interpolant,Ln as InterpolateBezier,In as InterpolateDiscrete,On as InterpolateLinear,zn as InterpolateSmooth,Ho as InterpolationSamplingMode,ko as InterpolationSamplingType,ho as InvertStencilOp,so as KeepStencilOp,Jr as KeyframeTrack,La as LOD,Tr as LatheGeometry,pa as Layers,go as LessCompare,Yi as LessDepth,xo as LessEqualCompare,Ci as LessEqualDepth,fo as LessEqualStencilFunc,po as LessStencilFunc,wl as Light,Il as LightProbe,gl as LightShadow,H as Line,le as Line3,ee as LineBasicMaterial,yr as LineCurve,wr as LineCurve3,Qr as LineDashedMaterial,Ba as LineLoop,mt as LineMaterial,Na as LineSegments,Gt as LineSegments2,ft as LineSegmentsGeometry,ms as LinearFilter,Gr as LinearInterpolant,bs as LinearMipMapLinearFilter,ys as LinearMipMapNearestFilter,ws as LinearMipmapLinearFilter,_s as LinearMipmapNearestFilter,Kn as LinearSRGBColorSpace,Fi as LinearToneMapping,Vn as LinearTransfer,cl as Loader,zl as LoaderUtils,ll as LoadingManager,Dn as LoopOnce,An as LoopPingPong,Tn as LoopRepeat,W as MOUSE,Ia as Material,fi as MaterialBlending,Ol as MaterialLoader,gt as MathUtils,sh as Matrix2,$o as Matrix3,nt as Matrix4,bi as MaxEquation,l as Mesh,jt as MeshBasicMaterial,Hr as MeshDepthMaterial,Nr as MeshDistanceMaterial,kr as MeshLambertMaterial,Br as MeshMatcapMaterial,Xr as MeshNormalMaterial,Cr as MeshPhongMaterial,Yr as MeshPhysicalMaterial,Ur as MeshStandardMaterial,Zr as MeshToonMaterial,wi as MinEquation,hs as MirroredRepeatWrapping,Bi as MixOperation,di as MultiplyBlending,Ni as MultiplyOperation,cs as NearestFilter,fs as NearestMipMapLinearFilter,ds as NearestMipMapNearestFilter,us as NearestMipmapLinearFilter,ps as NearestMipmapNearestFilter,$i as NeutralToneMapping,bo as NeverCompare,Ri as NeverDepth,co as NeverStencilFunc,li as NoBlending,qn as NoColorSpace,$n as NoNormalPacking,Wi as NoToneMapping,Yn as NormalAnimationBlendMode,hi as NormalBlending,eo as NormalGAPacking,to as NormalRGPacking,Eo as NotEqualCompare,Hi as NotEqualDepth,_o as NotEqualStencilFunc,el as NumberKeyframeTrack,St as Object3D,jl as ObjectLoader,Fn as ObjectSpaceNormalMap,at as OctahedronGeometry,Si as OneFactor,ji as OneMinusConstantAlphaFactor,zi as OneMinusConstantColorFactor,Di as OneMinusDstAlphaFactor,Ai as OneMinusDstColorFactor,Pi as OneMinusSrcAlphaFactor,vi as OneMinusSrcColorFactor,Ct as OrbitControls,Pl as OrthographicCamera,si as PCFShadowMap,ni as PCFSoftShadowMap,xh as PMREMGenerator,vr as Path,xl as PerspectiveCamera,$t as Plane,ie as PlaneGeometry,mh as PlaneHelper,El as PointLight,rh as PointLightHelper,Wa as Points,Qa as PointsMaterial,ch as PolarGridHelper,lr as PolyhedronGeometry,Bl as PositionalAudio,Fl as PropertyBinding,Wl as PropertyMixer,br as QuadraticBezierCurve,gr as QuadraticBezierCurve3,A as Quaternion,sl as QuaternionKeyframeTrack,il as QuaternionLinearInterpolant,en as R11_EAC_Format,Pn as RED_GREEN_RGTC2_Format,vn as RED_RGTC1_Format,Ve as REVISION,nn as RG11_EAC_Format,Nn as RGBADepthPacking,Rs as RGBAFormat,Ns as RGBAIntegerFormat,yn as RGBA_ASTC_10x10_Format,fn as RGBA_ASTC_10x5_Format,mn as RGBA_ASTC_10x6_Format,_n as RGBA_ASTC_10x8_Format,wn as RGBA_ASTC_12x10_Format,bn as RGBA_ASTC_12x12_Format,an as RGBA_ASTC_4x4_Format,rn as RGBA_ASTC_5x4_Format,ln as RGBA_ASTC_5x5_Format,hn as RGBA_ASTC_6x5_Format,cn as RGBA_ASTC_6x6_Format,pn as RGBA_ASTC_8x5_Format,dn as RGBA_ASTC_8x6_Format,un as RGBA_ASTC_8x8_Format,gn as RGBA_BPTC_Format,tn as RGBA_ETC2_EAC_Format,Vs as RGBA_PVRTC_2BPPV1_Format,Ks as RGBA_PVRTC_4BPPV1_Format,Qs as RGBA_S3TC_DXT1_Format,Ws as RGBA_S3TC_DXT3_Format,Fs as RGBA_S3TC_DXT5_Format,Bn as RGBDepthPacking,js as RGBFormat,Hs as RGBIntegerFormat,Sn as RGB_BPTC_SIGNED_Format,xn as RGB_BPTC_UNSIGNED_Format,Js as RGB_ETC1_Format,$s as RGB_ETC2_Format,Gs as RGB_PVRTC_2BPPV1_Format,qs as RGB_PVRTC_4BPPV1_Format,Bs as RGB_S3TC_DXT1_Format,Qn as RGDepthPacking,Xs as RGFormat,ks as RGIntegerFormat,Rr as RawShaderMaterial,te as Ray,re as Raycaster,Tl as RectAreaLight,Cs as RedFormat,Zs as RedIntegerFormat,qi as ReinhardToneMapping,Bo as RenderObjectRefreshType,oa as RenderTarget,Vl as RenderTarget3D,rs as RepeatWrapping,no as ReplaceStencilOp,yi as ReverseSubtractEquation,Ar as RingGeometry,sn as SIGNED_R11_EAC_Format,Mn as SIGNED_RED_GREEN_RGTC2_Format,En as SIGNED_RED_RGTC1_Format,on as SIGNED_RG11_EAC_Format,Gn as SRGBColorSpace,Jn as SRGBTransfer,ya as Scene,gh as ShaderChunk,ht as ShaderLib,oe as ShaderMaterial,jr as ShadowMaterial,Er as Shape,Ir as ShapeGeometry,wh as ShapePath,Pr as ShapeUtils,xs as ShortType,Ya as Skeleton,ah as SkeletonHelper,ja as SkinnedMesh,sa as Source,xt as Sphere,se as SphereGeometry,Ut as Spherical,Al as SphericalHarmonics3,Sr as SplineCurve,vl as SpotLight,oh as SpotLightHelper,za as Sprite,Oa as SpriteMaterial,Ei as SrcAlphaFactor,Ii as SrcAlphaSaturateFactor,xi as SrcColorFactor,Lo as StaticCopyUsage,Do as StaticDrawUsage,Io as StaticReadUsage,Cl as StereoCamera,Ro as StreamCopyUsage,Ao as StreamDrawUsage,zo as StreamReadUsage,nl as StringKeyframeTrack,_i as SubtractEquation,pi as SubtractiveBlending,F as TOUCH,Wn as TangentSpaceNormalMap,Or as TetrahedronGeometry,na as Texture,yl as TextureLoader,ia as TextureSource,bh as TextureUtils,kl as Timer,Xo as TimestampQuery,it as TorusGeometry,zr as TorusKnotGeometry,Ht as TransformControls,wa as Triangle,kn as TriangleFanDrawMode,Xn as TriangleStripDrawMode,Zn as TrianglesDrawMode,Lr as TubeGeometry,is as UVMapping,Pa as Uint16BufferAttribute,Da as Uint32BufferAttribute,xa as Uint8BufferAttribute,va as Uint8ClampedBufferAttribute,Jl as Uniform,$l as UniformsGroup,lt as UniformsLib,Rt as UniformsUtils,gs as UnsignedByteType,zs as UnsignedInt101111Type,Is as UnsignedInt248Type,Os as UnsignedInt5999Type,Ps as UnsignedIntType,Ts as UnsignedShort4444Type,As as UnsignedShort5551Type,vs as UnsignedShortType,oi as VSMShadowMap,T as Vector2,h as Vector3,tt as Vector4,ol as VectorKeyframeTrack,qa as VideoFrameTexture,Fa as VideoTexture,ca as WebGL3DRenderTarget,la as WebGLArrayRenderTarget,Co as WebGLCoordinateSystem,Sh as WebGLCubeRenderTarget,aa as WebGLRenderTarget,Eh as WebGLRenderer,vh as WebGLUtils,Zo as WebGPUCoordinateSystem,ua as WebXRController,ne as WireframeGeometry,Un as WrapAroundEnding,jn as ZeroCurvatureEnding,gi as ZeroFactor,Rn as ZeroSlopeEnding,io as ZeroStencilOp,Qo as createCanvasElement,Ko as error,Fo as getConsoleFunction,qo as log,Wo as setConsoleFunction,Go as warn,Vo as warnOnce};
