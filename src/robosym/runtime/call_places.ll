; Calls of compiled functions, second part: where the arrays of a call lie in memory, new ones, and whether one lies over
; another.

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define internal void @set(ptr %place, ptr %data, i64 %from_state, i64 %from_entry, i64 %entries, i64 %row) {
  store ptr %data, ptr %place
  %p1 = getelementptr %Place, ptr %place, i32 0, i32 1
  store i64 %from_state, ptr %p1
  %p2 = getelementptr %Place, ptr %place, i32 0, i32 2
  store i64 %from_entry, ptr %p2
  %p3 = getelementptr %Place, ptr %place, i32 0, i32 3
  store i64 %entries, ptr %p3
  %p4 = getelementptr %Place, ptr %place, i32 0, i32 4
  store i64 %row, ptr %p4
  ret void
}

; The place of an object that has these axes, alone (-2) or after a batch axis (its length); -1 if it cannot be used here.
define internal i64 @place(ptr %object, ptr %d, i64 %axes, ptr %lengths, ptr %place) {
  %data = call ptr @data(ptr %object, ptr %d, i64 %axes, ptr %lengths)
  %p1 = getelementptr %Place, ptr %place, i32 0, i32 1
  %p2 = getelementptr %Place, ptr %place, i32 0, i32 2
  %single = icmp ne ptr %data, null
  br i1 %single, label %one, label %many
one:
  store ptr %data, ptr %place
  store i64 0, ptr %p1
  store i64 1, ptr %p2
  ret i64 -2
many:
  %states = call i64 @even(ptr %object, ptr %d, i64 %axes, ptr %lengths, ptr %p1, ptr %p2)
  %usable = icmp sgt i64 %states, 0
  br i1 %usable, label %yes, label %no
yes:
  %pd = getelementptr %Array, ptr %object, i32 0, i32 2
  %start = load ptr, ptr %pd
  store ptr %start, ptr %place
  ret i64 %states
no:
  ret i64 -1
}

; The number of states of an array of doubles with a batch axis, and its distances (``machine_code.distances``); else -1.
define internal i64 @even(ptr %object, ptr %d, i64 %axes, ptr %lengths, ptr %from_state, ptr %from_entry) {
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
  %bit = and i32 %flags, 256           ; aligned
  %aligned = icmp ne i32 %bit, 0
  %pn = getelementptr %Array, ptr %object, i32 0, i32 3
  %n32 = load i32, ptr %pn
  %n = sext i32 %n32 to i64
  %more_axes = add i64 %axes, 1
  %same = icmp eq i64 %n, %more_axes
  %both = and i1 %real, %aligned
  %all = and i1 %both, %same
  br i1 %all, label %batched, label %no
batched:
  %ph = getelementptr %Array, ptr %object, i32 0, i32 4
  %has = load ptr, ptr %ph
  %ps = getelementptr %Array, ptr %object, i32 0, i32 5
  %strides = load ptr, ptr %ps
  %states = load i64, ptr %has
  br label %axis
axis:                                  ; from the last to the first: the step between entries, what the next must have
  %k = phi i64 [ %axes, %batched ], [ %before, %one ], [ %before, %fits ]
  %step = phi i64 [ 8, %batched ], [ %step, %one ], [ %chosen, %fits ]
  %next = phi i64 [ 0, %batched ], [ %next, %one ], [ %whole, %fits ]
  %seen = phi i1 [ false, %batched ], [ %seen, %one ], [ true, %fits ]
  %more = icmp sgt i64 %k, 0
  br i1 %more, label %length, label %last
length:
  %before = sub i64 %k, 1
  %po = getelementptr i64, ptr %lengths, i64 %before
  %own = load i64, ptr %po
  %pl = getelementptr i64, ptr %has, i64 %k
  %there = load i64, ptr %pl
  %equal = icmp eq i64 %own, %there
  br i1 %equal, label %one, label %no
one:                                   ; an axis of one entry is never walked along
  %walked = icmp ne i64 %own, 1
  br i1 %walked, label %walk, label %axis
walk:
  %pk = getelementptr i64, ptr %strides, i64 %k
  %stride = load i64, ptr %pk
  %whole = mul i64 %stride, %own
  %chosen = select i1 %seen, i64 %step, i64 %stride
  %regular = icmp eq i64 %stride, %next
  %first = xor i1 %seen, true
  %good = or i1 %first, %regular
  br i1 %good, label %fits, label %no
fits:
  br label %axis
last:
  %several = icmp sgt i64 %states, 1
  %distance = load i64, ptr %strides
  %walked_states = select i1 %several, i64 %distance, i64 0
  %bits = or i64 %walked_states, %step
  %odd = and i64 %bits, 7
  %whole_doubles = icmp eq i64 %odd, 0
  br i1 %whole_doubles, label %yes, label %no
yes:
  %in_doubles = ashr i64 %walked_states, 3
  store i64 %in_doubles, ptr %from_state
  %step_in_doubles = ashr i64 %step, 3
  store i64 %step_in_doubles, ptr %from_entry
  ret i64 %states
no:
  ret i64 -1
}

; --- outputs ---------------------------------------------------------------------------------------------------------

; A new array for an output, and its place; null if there is no memory.
define internal ptr @new(ptr %d, ptr %output, ptr %place, i64 %n, i1 %last) {
entry:
  %pdoubles = getelementptr %Call, ptr %d, i32 0, i32 3
  %doubles = load ptr, ptr %pdoubles
  call void @Py_IncRef(ptr %doubles)   ; the new array keeps one
  %pempty = getelementptr %Call, ptr %d, i32 0, i32 5
  %empty = load ptr, ptr %pempty
  %paxes = getelementptr %Output, ptr %output, i32 0, i32 1
  %axes = load i64, ptr %paxes
  %plengths = getelementptr %Output, ptr %output, i32 0, i32 2
  %lengths = load ptr, ptr %plengths
  %pentries = getelementptr %Output, ptr %output, i32 0, i32 3
  %entries = load i64, ptr %pentries
  %prow = getelementptr %Output, ptr %output, i32 0, i32 4
  %row = load i64, ptr %prow
  %axes_batched = add i64 %axes, 1
  %shape = alloca i64, i64 %axes_batched
  %single = icmp eq i64 %n, -2
  br i1 %single, label %one, label %many
one:
  %axes32 = trunc i64 %axes to i32
  %array1 = call ptr %empty(i32 %axes32, ptr %lengths, ptr %doubles, i32 0)
  br label %made
many:
  %end = select i1 %last, i64 %axes, i64 0
  %pend = getelementptr i64, ptr %shape, i64 %end
  store i64 %n, ptr %pend
  %begin = select i1 %last, i64 0, i64 1
  %own = getelementptr i64, ptr %shape, i64 %begin
  %bytes = mul i64 %axes, 8
  call void @llvm.memcpy.p0.p0.i64(ptr %own, ptr %lengths, i64 %bytes, i1 false)
  %batched32 = trunc i64 %axes_batched to i32
  %array2 = call ptr %empty(i32 %batched32, ptr %shape, ptr %doubles, i32 0)
  br label %made
made:
  %array = phi ptr [ %array1, %one ], [ %array2, %many ]
  %failed = icmp eq ptr %array, null
  br i1 %failed, label %no, label %placed
placed:
  %pdata = getelementptr %Array, ptr %array, i32 0, i32 2
  %data = load ptr, ptr %pdata
  %along = select i1 %last, i64 1, i64 %entries
  %from_state = select i1 %single, i64 0, i64 %along
  %across = select i1 %last, i64 %n, i64 1
  %from_entry = select i1 %single, i64 1, i64 %across
  call void @set(ptr %place, ptr %data, i64 %from_state, i64 %from_entry, i64 %entries, i64 %row)
  %several = xor i1 %single, true
  %turned = and i1 %last, %several
  br i1 %turned, label %turn, label %yes
turn:                                  ; the batch is the last axis in memory and the first of the array
  %order = alloca { ptr, i32 }
  %porder = getelementptr %Output, ptr %output, i32 0, i32 5
  %axes_in_order = load ptr, ptr %porder
  store ptr %axes_in_order, ptr %order
  %pcount = getelementptr { ptr, i32 }, ptr %order, i32 0, i32 1
  %count32 = trunc i64 %axes_batched to i32
  store i32 %count32, ptr %pcount
  %ptranspose = getelementptr %Call, ptr %d, i32 0, i32 6
  %transpose = load ptr, ptr %ptranspose
  %view = call ptr %transpose(ptr %array, ptr %order)
  call void @Py_DecRef(ptr %array)     ; the view owns it
  ret ptr %view
yes:
  ret ptr %array
no:
  ret ptr null
}

; The array to be filled with an output, if it lies over nothing that is read and over no other; else null.
define internal ptr @given(ptr %d, ptr %output, ptr %out, ptr %place, i64 %n, ptr %places, i64 %before) {
entry:
  %pt = getelementptr %Array, ptr %out, i32 0, i32 1
  %type = load ptr, ptr %pt
  %pdict = getelementptr %Call, ptr %d, i32 0, i32 4
  %dictionaries = load ptr, ptr %pdict
  %plain = icmp eq ptr %type, %dictionaries
  %presults = getelementptr %Call, ptr %d, i32 0, i32 24
  %results = load ptr, ptr %presults
  %earlier = icmp eq ptr %type, %results
  %by_name = or i1 %plain, %earlier
  %pcount = getelementptr %Call, ptr %d, i32 0, i32 9
  %count = load i64, ptr %pcount
  br i1 %by_name, label %search, label %itself
search:
  %size = call i64 @PyDict_Size(ptr %out)
  %complete = icmp eq i64 %size, %count
  br i1 %complete, label %lookup, label %no
lookup:
  %key = load ptr, ptr %output
  %named = call ptr @PyDict_GetItemWithError(ptr %out, ptr %key)
  %there = icmp ne ptr %named, null
  br i1 %there, label %measure, label %no
itself:
  %single = icmp eq i64 %count, 1
  br i1 %single, label %measure, label %no
measure:
  %object = phi ptr [ %named, %lookup ], [ %out, %itself ]
  %paxes = getelementptr %Output, ptr %output, i32 0, i32 1
  %axes = load i64, ptr %paxes
  %plengths = getelementptr %Output, ptr %output, i32 0, i32 2
  %lengths = load ptr, ptr %plengths
  %pentries = getelementptr %Output, ptr %output, i32 0, i32 3
  %entries = load i64, ptr %pentries
  %prow = getelementptr %Output, ptr %output, i32 0, i32 4
  %row = load i64, ptr %prow
  call void @set(ptr %place, ptr null, i64 0, i64 1, i64 %entries, i64 %row)
  %found = call i64 @place(ptr %object, ptr %d, i64 %axes, ptr %lengths, ptr %place)
  %fits = icmp eq i64 %found, %n
  br i1 %fits, label %shape, label %no
shape:                                 ; it may be written, and no entry lies at the place of another
  %pf = getelementptr %Array, ptr %object, i32 0, i32 8
  %flags = load i32, ptr %pf
  %bit = and i32 %flags, 1024
  %writable = icmp ne i32 %bit, 0
  %p1 = getelementptr %Place, ptr %place, i32 0, i32 1
  %from_state = load i64, ptr %p1
  %p2 = getelementptr %Place, ptr %place, i32 0, i32 2
  %from_entry = load i64, ptr %p2
  %one = icmp sle i64 %n, 1
  %apart = icmp sge i64 %from_entry, 1
  %good1 = and i1 %one, %apart
  %together = icmp eq i64 %from_entry, 1
  %beyond = icmp sge i64 %from_state, %entries
  %good2 = and i1 %together, %beyond
  %next_states = icmp eq i64 %from_state, 1
  %far = icmp sge i64 %from_entry, %n
  %good3 = and i1 %next_states, %far
  %good12 = or i1 %good1, %good2
  %good = or i1 %good12, %good3
  %both = and i1 %writable, %good
  br i1 %both, label %ends, label %no
ends:
  %low = call i64 @end(ptr %place, i64 %n, i1 false)
  %high = call i64 @end(ptr %place, i64 %n, i1 true)
  br label %others
others:
  %i = phi i64 [ 0, %ends ], [ %next, %other ]
  %more = icmp slt i64 %i, %before
  br i1 %more, label %other, label %yes
other:
  %next = add i64 %i, 1
  %p = getelementptr %Place, ptr %places, i64 %i
  %its_low = call i64 @end(ptr %p, i64 %n, i1 false)
  %its_high = call i64 @end(ptr %p, i64 %n, i1 true)
  %below = icmp ult i64 %its_low, %high
  %above = icmp ult i64 %low, %its_high
  %over = and i1 %below, %above
  br i1 %over, label %no, label %others
yes:
  call void @Py_IncRef(ptr %object)
  ret ptr %object
no:
  ret ptr null
}

; Where the numbers of an array begin, or where they end.
define internal i64 @end(ptr %place, i64 %n, i1 %last) {
  %data = load i64, ptr %place
  %p1 = getelementptr %Place, ptr %place, i32 0, i32 1
  %from_state = load i64, ptr %p1
  %p2 = getelementptr %Place, ptr %place, i32 0, i32 2
  %from_entry = load i64, ptr %p2
  %p3 = getelementptr %Place, ptr %place, i32 0, i32 3
  %entries = load i64, ptr %p3
  %single = icmp eq i64 %n, -2
  %states = select i1 %single, i64 1, i64 %n
  %s1 = sub i64 %states, 1
  %s = mul i64 %s1, %from_state
  %e1 = sub i64 %entries, 1
  %e = mul i64 %e1, %from_entry
  %forward_s = icmp sgt i64 %s, 0
  %take_s = icmp eq i1 %forward_s, %last
  %ds = select i1 %take_s, i64 %s, i64 0
  %forward_e = icmp sgt i64 %e, 0
  %take_e = icmp eq i1 %forward_e, %last
  %de = select i1 %take_e, i64 %e, i64 0
  %sum = add i64 %ds, %de
  %behind = zext i1 %last to i64
  %doubles = add i64 %sum, %behind
  %bytes = shl i64 %doubles, 3
  %address = add i64 %data, %bytes
  ret i64 %address
}
