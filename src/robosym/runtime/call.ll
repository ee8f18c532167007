; Calls of compiled functions from Python, without a line of Python in between. Whatever is not plain (a list, another type,
; distances between entries that are not equal, several threads, a name too many) goes to the fallback, which is written in
; Python and knows every case. This file reads what is given and makes what is returned; ``call_places.ll`` and
; ``call_work.ll``, which follow it in the same module, say where arrays lie in memory and run one state or many.
;
; The second argument of a builtin function's definition, ``self``, is a tuple; its first item is the descriptor, an object of ctypes.
; Tuples and objects of ctypes are read where ``python_call`` has seen that their fields are.

; An input: name, address of the default or null, number of axes, their lengths, number of entries, first row in a buffer.
%Input = type { ptr, ptr, i64, ptr, i64, i64 }
; An output: name, number of axes, their lengths, number of entries, first row in a buffer, order of axes if the batch is last.
%Output = type { ptr, i64, ptr, i64, i64, ptr }
%Call = type {
  ptr, ptr,                 ;  0 run  1 fallback
  ptr, ptr, ptr,            ;  2 type of arrays  3 of doubles  4 of dictionaries
  ptr, ptr,                 ;  5 empty  6 transpose
  i64, i64, i64,            ;  7 number of inputs  8 of others  9 of outputs
  ptr, ptr, ptr,            ; 10 inputs  11 others  12 outputs
  ptr, ptr, ptr,            ; 13 batches  14 parameters  15 constants
  ptr, ptr, ptr,            ; 16 the words "out"  17 "layout"  18 "threads"
  ptr, ptr, ptr, ptr,       ; 19 "aos"  20 "soa"  21 the number 1  22 None
  i64,                      ; 23 whether one state may take long: then other threads run meanwhile
  ptr,                      ; 24 the type of several results: a dict that says more, laid out as one
  ptr                       ; 25 null, or the function in Python that makes the result of the dict of all outputs
}
%Bound = type { ptr, ptr, ptr, i64 }   ; run, the table of its arguments, the result, whether it may take long
; What NumPy promises of an array: counter, type, data, axes, lengths, strides, owner, type of its entries, flags.
%Array = type { i64, ptr, ptr, i32, ptr, ptr, ptr, ptr, i32 }
; An argument as a job of ``batch_ir`` has it: data, from a state to the next, from an entry to the next, entries, first row.
%Place = type { ptr, i64, i64, i64, i64 }
%Tuple = type { i64, ptr, i64, [0 x ptr] }   ; counter, type, length, items
%Record = type { i64, ptr, ptr }       ; an object of ctypes: counter, type, data
%Options = type { ptr, i1 }            ; what is to be filled or null, whether the batch is to be the last axis in memory

declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)
declare ptr @PyDict_New()
declare i32 @PyDict_SetItem(ptr, ptr, ptr)
declare ptr @PyDict_GetItemWithError(ptr, ptr)
declare i64 @PyDict_Size(ptr)
declare void @Py_IncRef(ptr)
declare void @Py_DecRef(ptr)
declare ptr @PyMem_RawMalloc(i64)
declare void @PyMem_RawFree(ptr)
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)

define internal ptr @descriptor(ptr %self) alwaysinline {
  %item = call ptr @item(ptr %self, i64 0)
  %field = getelementptr %Record, ptr %item, i32 0, i32 2
  %address = load ptr, ptr %field
  ret ptr %address
}

define internal ptr @item(ptr %tuple, i64 %index) alwaysinline {
  %place = getelementptr %Tuple, ptr %tuple, i32 0, i32 3, i64 %index
  %found = load ptr, ptr %place
  ret ptr %found
}

; The result of a function bound to its arrays.
define ptr @bound(ptr %self, ptr %nothing) {
  %d = call ptr @descriptor(ptr %self)
  %run = load ptr, ptr %d
  %p1 = getelementptr %Bound, ptr %d, i32 0, i32 1
  %table = load ptr, ptr %p1
  %p3 = getelementptr %Bound, ptr %d, i32 0, i32 3
  %long = load i64, ptr %p3
  %quick = icmp eq i64 %long, 0
  br i1 %quick, label %at_once, label %apart
at_once:
  call void %run(ptr %table)
  br label %done
apart:
  %thread = call ptr @PyEval_SaveThread()
  call void %run(ptr %table)
  call void @PyEval_RestoreThread(ptr %thread)
  br label %done
done:
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

; Whether an argument is an option that is understood here; it is noted.
define internal i1 @option(ptr %d, ptr %name, ptr %object, ptr %options) {
  %pout = getelementptr %Call, ptr %d, i32 0, i32 16
  %out = load ptr, ptr %pout
  %is_out = icmp eq ptr %name, %out
  br i1 %is_out, label %fill, label %others
fill:
  %pnone = getelementptr %Call, ptr %d, i32 0, i32 22
  %none = load ptr, ptr %pnone
  %nothing = icmp eq ptr %object, %none
  %filled = select i1 %nothing, ptr null, ptr %object
  store ptr %filled, ptr %options
  ret i1 true
others:
  %pthreads = getelementptr %Call, ptr %d, i32 0, i32 18
  %threads = load ptr, ptr %pthreads
  %is_threads = icmp eq ptr %name, %threads
  %pone = getelementptr %Call, ptr %d, i32 0, i32 21
  %one = load ptr, ptr %pone
  %is_one = icmp eq ptr %object, %one
  %alone = and i1 %is_threads, %is_one
  %playout = getelementptr %Call, ptr %d, i32 0, i32 17
  %layout = load ptr, ptr %playout
  %is_layout = icmp eq ptr %name, %layout
  %paos = getelementptr %Call, ptr %d, i32 0, i32 19
  %aos = load ptr, ptr %paos
  %is_aos = icmp eq ptr %object, %aos
  %psoa = getelementptr %Call, ptr %d, i32 0, i32 20
  %soa = load ptr, ptr %psoa
  %is_soa = icmp eq ptr %object, %soa
  %last = and i1 %is_layout, %is_soa
  %plast = getelementptr %Options, ptr %options, i32 0, i32 1
  %before = load i1, ptr %plast
  %after = or i1 %before, %last
  store i1 %after, ptr %plast
  %either = or i1 %is_aos, %is_soa
  %laid = and i1 %is_layout, %either
  %understood = or i1 %alone, %laid
  ret i1 %understood
}

; The results by name, or the only one; null if there is no memory. They are given away either way. Several of them are a new dict,
; which nobody has seen, and which then becomes one of the type of results: quicker than a call of that type. Where there is a
; function that makes the result, it takes the dict.
define internal ptr @answer(ptr %d, ptr %made, i64 %n_out, ptr %outputs) {
entry:
  %single = icmp eq i64 %n_out, 1
  %pmake = getelementptr %Call, ptr %d, i32 0, i32 25
  %make = load ptr, ptr %pmake
  %as_it_is = icmp eq ptr %make, null
  %bare = and i1 %single, %as_it_is
  br i1 %bare, label %alone, label %several
alone:
  %result = load ptr, ptr %made
  ret ptr %result
several:
  %dict = call ptr @PyDict_New()
  %nodict = icmp eq ptr %dict, null
  br i1 %nodict, label %none, label %fill
none:
  call void @drop(ptr %made, i64 %n_out)
  ret ptr null
fill:
  %i = phi i64 [ 0, %several ], [ %next, %put ]
  %more = icmp slt i64 %i, %n_out
  br i1 %more, label %put, label %full
put:
  %pkey = getelementptr %Output, ptr %outputs, i64 %i, i32 0
  %key = load ptr, ptr %pkey
  %pvalue = getelementptr ptr, ptr %made, i64 %i
  %one = load ptr, ptr %pvalue
  %status = call i32 @PyDict_SetItem(ptr %dict, ptr %key, ptr %one)
  call void @Py_DecRef(ptr %one)
  %next = add i64 %i, 1
  br label %fill
full:
  br i1 %as_it_is, label %named, label %apart
apart:
  %argument = alloca ptr
  store ptr %dict, ptr %argument
  %answer = call ptr @PyObject_Vectorcall(ptr %make, ptr %argument, i64 1, ptr null)
  call void @Py_DecRef(ptr %dict)
  ret ptr %answer
named:
  %presults = getelementptr %Call, ptr %d, i32 0, i32 24
  %results = load ptr, ptr %presults
  call void @Py_IncRef(ptr %results)   ; an object keeps its type
  %ptype = getelementptr %Array, ptr %dict, i32 0, i32 1
  store ptr %results, ptr %ptype
  ret ptr %dict
}

; Give back the first of what was made.
define internal void @drop(ptr %made, i64 %count) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %count, %entry ], [ %next, %one ]
  %more = icmp sgt i64 %i, 0
  br i1 %more, label %one, label %done
one:
  %next = sub i64 %i, 1
  %place = getelementptr ptr, ptr %made, i64 %next
  %object = load ptr, ptr %place
  call void @Py_DecRef(ptr %object)
  br label %loop
done:
  ret void
}

; f(q=..., qd=..., ...)
define ptr @call(ptr %self, ptr %args, i64 %positional, ptr %names) {
entry:
  %d = call ptr @descriptor(ptr %self)
  %pin = getelementptr %Call, ptr %d, i32 0, i32 7
  %n_in = load i64, ptr %pin
  %pou = getelementptr %Call, ptr %d, i32 0, i32 9
  %n_out = load i64, ptr %pou
  %pinputs = getelementptr %Call, ptr %d, i32 0, i32 10
  %inputs = load ptr, ptr %pinputs
  %poutputs = getelementptr %Call, ptr %d, i32 0, i32 12
  %outputs = load ptr, ptr %poutputs
  %both = add i64 %n_in, %n_out
  %size = mul i64 %both, 5
  %words = add i64 %size, 7
  %job = alloca i64, i64 %words        ; the record that ``batch_ir`` describes: what it begins with is written last
  %places = getelementptr i64, ptr %job, i64 7
  %made = alloca ptr, i64 %n_out
  %options = alloca %Options
  store %Options zeroinitializer, ptr %options
  %none = icmp eq i64 %positional, 0
  %named = icmp ne ptr %names, null
  %keywords_only = and i1 %none, %named
  br i1 %keywords_only, label %defaults, label %slow

defaults:                              ; every input begins as its default
  %i0 = phi i64 [ 0, %entry ], [ %i0n, %default ]
  %m0 = icmp slt i64 %i0, %n_in
  br i1 %m0, label %default, label %count
default:
  %pdef = getelementptr %Input, ptr %inputs, i64 %i0, i32 1
  %def = load ptr, ptr %pdef
  %dentries = getelementptr %Input, ptr %inputs, i64 %i0, i32 4
  %entries0 = load i64, ptr %dentries
  %drow = getelementptr %Input, ptr %inputs, i64 %i0, i32 5
  %row0 = load i64, ptr %drow
  %dplace = getelementptr %Place, ptr %places, i64 %i0
  call void @set(ptr %dplace, ptr %def, i64 0, i64 1, i64 %entries0, i64 %row0)
  %i0n = add i64 %i0, 1
  br label %defaults

count:
  %plength = getelementptr %Tuple, ptr %names, i32 0, i32 2
  %given = load i64, ptr %plength
  br label %keywords
keywords:                              ; what is given, and how many states: -2 as long as there is only one
  %i2 = phi i64 [ 0, %count ], [ %i2n, %take ]
  %n = phi i64 [ -2, %count ], [ %agreed, %take ]
  %m2 = icmp slt i64 %i2, %given
  br i1 %m2, label %keyword, label %complete
keyword:
  %name = call ptr @item(ptr %names, i64 %i2)
  %pobject = getelementptr ptr, ptr %args, i64 %i2
  %object = load ptr, ptr %pobject
  %which = call i64 @input_named(ptr %name, ptr %inputs, i64 %n_in, i64 %i2)
  %known = icmp sge i64 %which, 0
  br i1 %known, label %value, label %beside
beside:
  %understood = call i1 @option(ptr %d, ptr %name, ptr %object, ptr %options)
  br i1 %understood, label %take, label %slow
value:
  %paxes = getelementptr %Input, ptr %inputs, i64 %which, i32 2
  %axes = load i64, ptr %paxes
  %plengths = getelementptr %Input, ptr %inputs, i64 %which, i32 3
  %lengths = load ptr, ptr %plengths
  %place = getelementptr %Place, ptr %places, i64 %which
  %found = call i64 @place(ptr %object, ptr %d, i64 %axes, ptr %lengths, ptr %place)
  %usable = icmp ne i64 %found, -1
  br i1 %usable, label %agree, label %slow
agree:
  %alone = icmp eq i64 %found, -2
  %first = icmp eq i64 %n, -2
  %same = icmp eq i64 %n, %found
  %first_or_same = or i1 %first, %same
  %good = or i1 %alone, %first_or_same
  %now = select i1 %alone, i64 %n, i64 %found
  br i1 %good, label %take, label %slow
take:
  %agreed = phi i64 [ %now, %agree ], [ %n, %beside ]
  %i2n = add i64 %i2, 1
  br label %keywords

complete:                              ; nothing may be missing
  %i3 = phi i64 [ 0, %keywords ], [ %i3n, %present ]
  %m3 = icmp slt i64 %i3, %n_in
  br i1 %m3, label %look, label %results
look:
  %plook = getelementptr %Place, ptr %places, i64 %i3
  %there = load ptr, ptr %plook
  %missing = icmp eq ptr %there, null
  br i1 %missing, label %slow, label %present
present:
  %i3n = add i64 %i3, 1
  br label %complete

results:
  %ready = call i1 @ready(ptr %d, i64 %n)
  br i1 %ready, label %room, label %slow
room:
  %out = load ptr, ptr %options
  %plast = getelementptr %Options, ptr %options, i32 0, i32 1
  %last = load i1, ptr %plast
  %new_ones = icmp eq ptr %out, null
  br label %outs
outs:                                  ; arrays for the outputs: new ones, or those that were given
  %i4 = phi i64 [ 0, %room ], [ %i4n, %got ]
  %m4 = icmp slt i64 %i4, %n_out
  br i1 %m4, label %next, label %go
next:
  %output = getelementptr %Output, ptr %outputs, i64 %i4
  %at = add i64 %n_in, %i4
  %target = getelementptr %Place, ptr %places, i64 %at
  br i1 %new_ones, label %new, label %old
new:
  %array = call ptr @new(ptr %d, ptr %output, ptr %target, i64 %n, i1 %last)
  %failed = icmp eq ptr %array, null
  br i1 %failed, label %error, label %got
old:
  %kept = call ptr @given(ptr %d, ptr %output, ptr %out, ptr %target, i64 %n, ptr %places, i64 %at)
  %unfit = icmp eq ptr %kept, null
  br i1 %unfit, label %undo, label %got
got:
  %one = phi ptr [ %array, %new ], [ %kept, %old ]
  %pmade = getelementptr ptr, ptr %made, i64 %i4
  store ptr %one, ptr %pmade
  %i4n = add i64 %i4, 1
  br label %outs

error:                                 ; no memory: give back what was made
  call void @drop(ptr %made, i64 %i4)
  ret ptr null

go:
  %done = call i1 @work(ptr %d, ptr %job, i64 %n)
  br i1 %done, label %well, label %undo
well:
  %answer = call ptr @answer(ptr %d, ptr %made, i64 %n_out, ptr %outputs)
  ret ptr %answer

undo:
  call void @drop(ptr %made, i64 %i4)
  br label %slow
slow:
  %pfallback = getelementptr %Call, ptr %d, i32 0, i32 1
  %fallback = load ptr, ptr %pfallback
  %other = call ptr @PyObject_Vectorcall(ptr %fallback, ptr %args, i64 %positional, ptr %names)
  ret ptr %other
}
