; Calls of compiled functions, third part: the work on arrays whose places are known, for one state or a batch.

; What a code says of its batches: with fewer states than these one is done after the other; then what brings states into
; buffers, the function of a block (null until it is compiled), the length of a row, the states of a vector, and the bytes of
; the buffers of inputs and outputs.
%Batches = type { i64, ptr, ptr, i64, i64, i64, i64 }

; Whether what so many states need is compiled.
define internal i1 @ready(ptr %d, i64 %n) {
  %pb = getelementptr %Call, ptr %d, i32 0, i32 13
  %b = load ptr, ptr %pb
  %most = load i64, ptr %b
  %few = icmp slt i64 %n, %most
  %pblock = getelementptr %Batches, ptr %b, i32 0, i32 2
  %block = load ptr, ptr %pblock
  %has = icmp ne ptr %block, null
  %either = or i1 %few, %has
  ret i1 %either
}

; Do the job: one state (-2) or n of them. False if Python has to: entries lie apart, or no memory is left.
define internal i1 @work(ptr %d, ptr %job, i64 %n) {
entry:
  %places = getelementptr i64, ptr %job, i64 7
  %single = icmp eq i64 %n, -2
  br i1 %single, label %alone, label %batch
alone:
  %plong = getelementptr %Call, ptr %d, i32 0, i32 23
  %long = load i64, ptr %plong
  %quick = icmp eq i64 %long, 0
  br i1 %quick, label %at_once, label %loop
at_once:                               ; other threads may wait so long
  call void @one_by_one(ptr %d, ptr %places, i64 1)
  ret i1 true
batch:
  %pb = getelementptr %Call, ptr %d, i32 0, i32 13
  %b = load ptr, ptr %pb
  %together = call i1 @all_together(ptr %d, ptr %places)
  %pblock = getelementptr %Batches, ptr %b, i32 0, i32 2
  %block = load ptr, ptr %pblock
  %has = icmp ne ptr %block, null
  br i1 %has, label %blocks, label %few
few:
  br i1 %together, label %loop, label %no
loop:
  %once_or_n = select i1 %single, i64 1, i64 %n
  %thread = call ptr @PyEval_SaveThread()
  call void @one_by_one(ptr %d, ptr %places, i64 %once_or_n)
  call void @PyEval_RestoreThread(ptr %thread)
  ret i1 true
blocks:
  %prow = getelementptr %Batches, ptr %b, i32 0, i32 3
  %row = load i64, ptr %prow
  %pvector = getelementptr %Batches, ptr %b, i32 0, i32 4
  %vector = load i64, ptr %pvector
  %step = select i1 %together, i64 %vector, i64 %row  ; the same entry of many states together: more is read at once
  call void @head(ptr %d, ptr %job, ptr %block, i64 %row, i64 %step)
  %pin = getelementptr %Batches, ptr %b, i32 0, i32 5
  %bytes_in = load i64, ptr %pin
  %pout = getelementptr %Batches, ptr %b, i32 0, i32 6
  %bytes_out = load i64, ptr %pout
  %bytes = add i64 %bytes_in, %bytes_out
  %room = add i64 %bytes, 128          ; two lines of the cache, at which the buffers begin
  %buffers = call ptr @PyMem_RawMalloc(i64 %room)
  %full = icmp eq ptr %buffers, null
  br i1 %full, label %no, label %states
states:
  %scratch = alloca i64, i64 2
  %start = ptrtoint ptr %buffers to i64
  %up = add i64 %start, 63
  %inner = and i64 %up, -64
  store i64 %inner, ptr %scratch
  %behind = add i64 %inner, %bytes_in
  %up_again = add i64 %behind, 63
  %outer = and i64 %up_again, -64
  %second = getelementptr i64, ptr %scratch, i64 1
  store i64 %outer, ptr %second
  %pdriver = getelementptr %Batches, ptr %b, i32 0, i32 1
  %driver = load ptr, ptr %pdriver
  %thread_too = call ptr @PyEval_SaveThread()
  call void %driver(ptr %job, i64 0, i64 %n, ptr %scratch)
  call void @PyMem_RawFree(ptr %buffers)
  call void @PyEval_RestoreThread(ptr %thread_too)
  ret i1 true
no:
  ret i1 false
}

; What a job begins with.
define internal void @head(ptr %d, ptr %job, ptr %block, i64 %row, i64 %step) {
  store ptr %block, ptr %job
  %pparameters = getelementptr %Call, ptr %d, i32 0, i32 14
  %parameters = load ptr, ptr %pparameters
  %w1 = getelementptr i64, ptr %job, i64 1
  store ptr %parameters, ptr %w1
  %pconstants = getelementptr %Call, ptr %d, i32 0, i32 15
  %constants = load ptr, ptr %pconstants
  %w2 = getelementptr i64, ptr %job, i64 2
  store ptr %constants, ptr %w2
  %w3 = getelementptr i64, ptr %job, i64 3
  store i64 %row, ptr %w3
  %w4 = getelementptr i64, ptr %job, i64 4
  store i64 %step, ptr %w4
  %pin = getelementptr %Call, ptr %d, i32 0, i32 7
  %n_in = load i64, ptr %pin
  %w5 = getelementptr i64, ptr %job, i64 5
  store i64 %n_in, ptr %w5
  %pout = getelementptr %Call, ptr %d, i32 0, i32 9
  %n_out = load i64, ptr %pout
  %w6 = getelementptr i64, ptr %job, i64 6
  store i64 %n_out, ptr %w6
  ret void
}

; Whether the entries of each state lie together in every array.
define internal i1 @all_together(ptr %d, ptr %places) {
entry:
  %pin = getelementptr %Call, ptr %d, i32 0, i32 7
  %n_in = load i64, ptr %pin
  %pout = getelementptr %Call, ptr %d, i32 0, i32 9
  %n_out = load i64, ptr %pout
  %count = add i64 %n_in, %n_out
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %one ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %one, label %yes
one:
  %next = add i64 %i, 1
  %p = getelementptr %Place, ptr %places, i64 %i, i32 2
  %from_entry = load i64, ptr %p
  %together = icmp eq i64 %from_entry, 1
  br i1 %together, label %loop, label %no
yes:
  ret i1 true
no:
  ret i1 false
}

; The function of one state, for each: its table of addresses moves on from state to state.
define internal void @one_by_one(ptr %d, ptr %places, i64 %n) {
entry:
  %pin = getelementptr %Call, ptr %d, i32 0, i32 7
  %n_in = load i64, ptr %pin
  %pex = getelementptr %Call, ptr %d, i32 0, i32 8
  %n_ex = load i64, ptr %pex
  %pou = getelementptr %Call, ptr %d, i32 0, i32 9
  %n_out = load i64, ptr %pou
  %pextras = getelementptr %Call, ptr %d, i32 0, i32 11
  %extras = load ptr, ptr %pextras
  %read = add i64 %n_in, %n_ex
  %total = add i64 %read, %n_out
  %table = alloca ptr, i64 %total
  %run = load ptr, ptr %d
  br label %state
state:
  %s = phi i64 [ 0, %entry ], [ %s_next, %ready ]
  %unfinished = icmp slt i64 %s, %n
  br i1 %unfinished, label %argument, label %done
argument:
  %i = phi i64 [ 0, %state ], [ %i_next, %filled ]
  %more = icmp slt i64 %i, %total
  br i1 %more, label %fill, label %ready
fill:
  %t = getelementptr ptr, ptr %table, i64 %i
  %i_next = add i64 %i, 1
  %is_input = icmp slt i64 %i, %n_in
  %is_read = icmp slt i64 %i, %read
  %not_input = xor i1 %is_input, true
  %is_other = and i1 %is_read, %not_input
  br i1 %is_other, label %other, label %array
other:                                 ; parameters and constants are shared
  %k = sub i64 %i, %n_in
  %pe = getelementptr ptr, ptr %extras, i64 %k
  %shared = load ptr, ptr %pe
  store ptr %shared, ptr %t
  br label %filled
array:
  %less = sub i64 %i, %n_ex
  %which = select i1 %is_input, i64 %i, i64 %less
  %place = getelementptr %Place, ptr %places, i64 %which
  %data = load ptr, ptr %place
  %p1 = getelementptr %Place, ptr %place, i32 0, i32 1
  %from_state = load i64, ptr %p1
  %distance = mul i64 %s, %from_state
  %own = getelementptr double, ptr %data, i64 %distance
  store ptr %own, ptr %t
  br label %filled
filled:
  br label %argument
ready:
  call void %run(ptr %table)
  %s_next = add i64 %s, 1
  br label %state
done:
  ret void
}
