; Calls of compiled functions from Python, without a line of Python in between. Whatever is not plain (a list, another type,
; a batch, a name too many) goes to the fallback, which is written in Python and knows every case.
;
; The second argument of a builtin function's definition, ``self``, is a tuple; its first item is the address of a descriptor.

%Input = type { ptr, ptr, i64, ptr }   ; name, address of the default or null, number of axes, their lengths
%Output = type { ptr, i64, ptr }       ; name, number of axes, their lengths
;                run  fallback  type of arrays, of doubles  empty  inputs, others, outputs: how many, then where
%Call = type { ptr, ptr, ptr, ptr, ptr, i64, i64, i64, ptr, ptr, ptr }
%Bound = type { ptr, ptr, ptr }        ; run, the table of its arguments, the result
; What NumPy promises of an array: counter, type, data, axes, lengths, strides, owner, type of its entries, flags.
%Array = type { i64, ptr, ptr, i32, ptr, ptr, ptr, ptr, i32 }

declare ptr @PyTuple_GetItem(ptr, i64)
declare i64 @PyTuple_Size(ptr)
declare ptr @PyLong_AsVoidPtr(ptr)
declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyDict_New()
declare i32 @PyDict_SetItem(ptr, ptr, ptr)
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)

define internal ptr @descriptor(ptr %self) {
  %item = call ptr @PyTuple_GetItem(ptr %self, i64 0)
  %address = call ptr @PyLong_AsVoidPtr(ptr %item)
  ret ptr %address
}

; The result of a function bound to its arrays.
define ptr @bound(ptr %self, ptr %nothing) {
  %d = call ptr @descriptor(ptr %self)
  %run = load ptr, ptr %d
  %p1 = getelementptr %Bound, ptr %d, i32 0, i32 1
  %table = load ptr, ptr %p1
  call void %run(ptr %table)
  %p2 = getelementptr %Bound, ptr %d, i32 0, i32 2
  %result = load ptr, ptr %p2
  call void @Py_IncRef(ptr %result)
  ret ptr %result
}

; The data of an object if it is an array of doubles of this shape, by rows; else null.
define internal ptr @data(ptr %object, ptr %d, i64 %axes, ptr %lengths) {
entry:
  %pt = getelementptr %Array, ptr %object, i32 0, i32 1
  %type = load ptr, ptr %pt
  %pw = getelementptr %Call, ptr %d, i32 0, i32 2
  %wanted = load ptr, ptr %pw
  %is = icmp eq ptr %type, %wanted
  br i1 %is, label %array, label %no
array:
  %pe = getelementptr %Array, ptr %object, i32 0, i32 7
  %entries = load ptr, ptr %pe
  %pd = getelementptr %Call, ptr %d, i32 0, i32 3
  %doubles = load ptr, ptr %pd
  %real = icmp eq ptr %entries, %doubles
  %pf = getelementptr %Array, ptr %object, i32 0, i32 8
  %flags = load i32, ptr %pf
  %good = and i32 %flags, 257          ; by rows, aligned
  %plain = icmp eq i32 %good, 257
  %pn = getelementptr %Array, ptr %object, i32 0, i32 3
  %n32 = load i32, ptr %pn
  %n = sext i32 %n32 to i64
  %same = icmp eq i64 %n, %axes
  %both = and i1 %real, %plain
  %all = and i1 %both, %same
  br i1 %all, label %check, label %no
check:
  %i = phi i64 [ 0, %array ], [ %next, %fits ]
  %more = icmp slt i64 %i, %axes
  br i1 %more, label %length, label %yes
length:
  %pl = getelementptr %Array, ptr %object, i32 0, i32 4
  %has = load ptr, ptr %pl
  %ph = getelementptr i64, ptr %has, i64 %i
  %one = load i64, ptr %ph
  %po = getelementptr i64, ptr %lengths, i64 %i
  %other = load i64, ptr %po
  %equal = icmp eq i64 %one, %other
  br i1 %equal, label %fits, label %no
fits:
  %next = add i64 %i, 1
  br label %check
yes:
  %pp = getelementptr %Array, ptr %object, i32 0, i32 2
  %found = load ptr, ptr %pp
  ret ptr %found
no:
  ret ptr null
}

; The number of the input of that name, looked for where it should be first; -1 if there is none.
define internal i64 @input_named(ptr %name, ptr %inputs, i64 %count, i64 %guess) {
entry:
  %inside = icmp slt i64 %guess, %count
  br i1 %inside, label %first, label %search
first:
  %pg = getelementptr %Input, ptr %inputs, i64 %guess, i32 0
  %g = load ptr, ptr %pg
  %hit = icmp eq ptr %g, %name
  br i1 %hit, label %guessed, label %search
guessed:
  ret i64 %guess
search:
  %i = phi i64 [ 0, %entry ], [ 0, %first ], [ %next, %other ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %compare, label %none
compare:
  %pn = getelementptr %Input, ptr %inputs, i64 %i, i32 0
  %n = load ptr, ptr %pn
  %same = icmp eq ptr %n, %name
  br i1 %same, label %found, label %other
other:
  %next = add i64 %i, 1
  br label %search
found:
  ret i64 %i
none:
  ret i64 -1
}

; f(q=..., qd=..., ...)
define ptr @call(ptr %self, ptr %args, i64 %positional, ptr %names) {
entry:
  %d = call ptr @descriptor(ptr %self)
  %pin = getelementptr %Call, ptr %d, i32 0, i32 5
  %n_in = load i64, ptr %pin
  %pex = getelementptr %Call, ptr %d, i32 0, i32 6
  %n_ex = load i64, ptr %pex
  %pou = getelementptr %Call, ptr %d, i32 0, i32 7
  %n_out = load i64, ptr %pou
  %pinputs = getelementptr %Call, ptr %d, i32 0, i32 8
  %inputs = load ptr, ptr %pinputs
  %pextras = getelementptr %Call, ptr %d, i32 0, i32 9
  %extras = load ptr, ptr %pextras
  %poutputs = getelementptr %Call, ptr %d, i32 0, i32 10
  %outputs = load ptr, ptr %poutputs
  %before = add i64 %n_in, %n_ex
  %total = add i64 %before, %n_out
  %table = alloca ptr, i64 %total
  %made = alloca ptr, i64 %n_out
  %none = icmp eq i64 %positional, 0
  %named = icmp ne ptr %names, null
  %keywords_only = and i1 %none, %named
  br i1 %keywords_only, label %defaults, label %slow

defaults:                              ; every input begins as its default
  %i0 = phi i64 [ 0, %entry ], [ %i0n, %default ]
  %m0 = icmp slt i64 %i0, %n_in
  br i1 %m0, label %default, label %others
default:
  %pdef = getelementptr %Input, ptr %inputs, i64 %i0, i32 1
  %def = load ptr, ptr %pdef
  %tdef = getelementptr ptr, ptr %table, i64 %i0
  store ptr %def, ptr %tdef
  %i0n = add i64 %i0, 1
  br label %defaults

others:                                ; parameters and constants
  %i1 = phi i64 [ 0, %defaults ], [ %i1n, %another ]
  %m1 = icmp slt i64 %i1, %n_ex
  br i1 %m1, label %another, label %count
another:
  %pex1 = getelementptr ptr, ptr %extras, i64 %i1
  %ex1 = load ptr, ptr %pex1
  %at1 = add i64 %n_in, %i1
  %tex1 = getelementptr ptr, ptr %table, i64 %at1
  store ptr %ex1, ptr %tex1
  %i1n = add i64 %i1, 1
  br label %others

count:
  %given = call i64 @PyTuple_Size(ptr %names)
  br label %keywords
keywords:                              ; what is given
  %i2 = phi i64 [ 0, %count ], [ %i2n, %take ]
  %m2 = icmp slt i64 %i2, %given
  br i1 %m2, label %keyword, label %complete
keyword:
  %name = call ptr @PyTuple_GetItem(ptr %names, i64 %i2)
  %which = call i64 @input_named(ptr %name, ptr %inputs, i64 %n_in, i64 %i2)
  %known = icmp sge i64 %which, 0
  br i1 %known, label %value, label %slow
value:
  %pobject = getelementptr ptr, ptr %args, i64 %i2
  %object = load ptr, ptr %pobject
  %paxes = getelementptr %Input, ptr %inputs, i64 %which, i32 2
  %axes = load i64, ptr %paxes
  %plengths = getelementptr %Input, ptr %inputs, i64 %which, i32 3
  %lengths = load ptr, ptr %plengths
  %data = call ptr @data(ptr %object, ptr %d, i64 %axes, ptr %lengths)
  %usable = icmp ne ptr %data, null
  br i1 %usable, label %take, label %slow
take:
  %twhich = getelementptr ptr, ptr %table, i64 %which
  store ptr %data, ptr %twhich
  %i2n = add i64 %i2, 1
  br label %keywords

complete:                              ; nothing may be missing
  %i3 = phi i64 [ 0, %keywords ], [ %i3n, %present ]
  %m3 = icmp slt i64 %i3, %n_in
  br i1 %m3, label %look, label %outs
look:
  %tlook = getelementptr ptr, ptr %table, i64 %i3
  %there = load ptr, ptr %tlook
  %missing = icmp eq ptr %there, null
  br i1 %missing, label %slow, label %present
present:
  %i3n = add i64 %i3, 1
  br label %complete

outs:                                  ; new arrays for the outputs
  %i4 = phi i64 [ 0, %complete ], [ %i4n, %got ]
  %m4 = icmp slt i64 %i4, %n_out
  br i1 %m4, label %new, label %go
new:
  %pdoubles = getelementptr %Call, ptr %d, i32 0, i32 3
  %doubles = load ptr, ptr %pdoubles
  call void @Py_IncRef(ptr %doubles)   ; the new array keeps one
  %pempty = getelementptr %Call, ptr %d, i32 0, i32 4
  %empty = load ptr, ptr %pempty
  %pon = getelementptr %Output, ptr %outputs, i64 %i4, i32 1
  %on = load i64, ptr %pon
  %on32 = trunc i64 %on to i32
  %pol = getelementptr %Output, ptr %outputs, i64 %i4, i32 2
  %ol = load ptr, ptr %pol
  %array = call ptr %empty(i32 %on32, ptr %ol, ptr %doubles, i32 0)
  %failed = icmp eq ptr %array, null
  br i1 %failed, label %undo, label %got
got:
  %pmade = getelementptr ptr, ptr %made, i64 %i4
  store ptr %array, ptr %pmade
  %padata = getelementptr %Array, ptr %array, i32 0, i32 2
  %adata = load ptr, ptr %padata
  %at4 = add i64 %before, %i4
  %tout = getelementptr ptr, ptr %table, i64 %at4
  store ptr %adata, ptr %tout
  %i4n = add i64 %i4, 1
  br label %outs

undo:                                  ; no memory: give back what was made
  %i5 = phi i64 [ %i4, %new ], [ %i5n, %drop ]
  %m5 = icmp sgt i64 %i5, 0
  br i1 %m5, label %drop, label %error
drop:
  %i5n = sub i64 %i5, 1
  %pdrop = getelementptr ptr, ptr %made, i64 %i5n
  %dropped = load ptr, ptr %pdrop
  call void @Py_DecRef(ptr %dropped)
  br label %undo
error:
  ret ptr null

go:
  %run = load ptr, ptr %d
  call void %run(ptr %table)
  %single = icmp eq i64 %n_out, 1
  br i1 %single, label %alone, label %several
alone:
  %result = load ptr, ptr %made
  ret ptr %result
several:
  %dict = call ptr @PyDict_New()
  %nodict = icmp eq ptr %dict, null
  br i1 %nodict, label %undo_all, label %fill
undo_all:
  %i7 = phi i64 [ %n_out, %several ], [ %i7n, %drop_one ]
  %m7 = icmp sgt i64 %i7, 0
  br i1 %m7, label %drop_one, label %error
drop_one:
  %i7n = sub i64 %i7, 1
  %pd7 = getelementptr ptr, ptr %made, i64 %i7n
  %d7 = load ptr, ptr %pd7
  call void @Py_DecRef(ptr %d7)
  br label %undo_all
fill:
  %i6 = phi i64 [ 0, %several ], [ %i6n, %put ]
  %m6 = icmp slt i64 %i6, %n_out
  br i1 %m6, label %put, label %full
put:
  %pkey = getelementptr %Output, ptr %outputs, i64 %i6, i32 0
  %key = load ptr, ptr %pkey
  %pvalue = getelementptr ptr, ptr %made, i64 %i6
  %one = load ptr, ptr %pvalue
  %status = call i32 @PyDict_SetItem(ptr %dict, ptr %key, ptr %one)
  call void @Py_DecRef(ptr %one)
  %i6n = add i64 %i6, 1
  br label %fill
full:
  ret ptr %dict

slow:
  %pfallback = getelementptr %Call, ptr %d, i32 0, i32 1
  %fallback = load ptr, ptr %pfallback
  %answer = call ptr @PyObject_Vectorcall(ptr %fallback, ptr %args, i64 %positional, ptr %names)
  ret ptr %answer
}
