internal import CSQLite

/// A closure that makes the state of each group, boxed so that C can own it.
private final class AggregateBody {
    let make: () -> any SQLAggregate

    init(_ make: @escaping () -> any SQLAggregate) {
        self.make = make
    }
}

/// The state of one group, boxed so that C can own it.
private final class AggregateBox {
    let aggregate: any SQLAggregate

    init(_ aggregate: any SQLAggregate) {
        self.aggregate = aggregate
    }
}

extension Connection {
    /// Registers an aggregate function for SQL; `make` is called once for each group.
    /// - Throws: `SQLiteError` if the connection is closed, or SQLite refuses the name or the number of arguments.
    public func registerAggregate(
        _ name: String, argumentCount: Int32, _ make: @escaping () -> any SQLAggregate
    ) throws(SQLiteError) {
        let connection = unsafe try open()
        let box = unsafe Unmanaged.passRetained(AggregateBody(make)).toOpaque()
        // On failure SQLite also calls the destructor, so the box is never leaked.
        let code = unsafe sqlite3_create_function_v2(
            connection, name, argumentCount, SQLITE_UTF8 | SQLITE_DETERMINISTIC, box, nil,
            { context, count, values in
                guard let context = unsafe context, let box = unsafe Connection.aggregateBox(of: context) else {
                    return
                }
                let arguments = unsafe FunctionArguments(values: values, count: Int(count))
                do {
                    try box.aggregate.step(arguments)
                } catch {
                    unsafe Connection.report(error, to: context)
                }
            },
            { context in
                guard let context = unsafe context else { return }
                unsafe Connection.finishAggregate(of: context)
            },
            { box in
                if let box = unsafe box { unsafe Unmanaged<AggregateBody>.fromOpaque(box).release() }
            })
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// Returns the memory in which SQLite keeps the group's box, which is initially zero; nil if there is no memory.
    private static func aggregateSlot(
        of context: OpaquePointer, isMade: Bool
    ) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
        // A pointer has the size of an Int.
        let size = isMade ? Int32(MemoryLayout<Int>.size) : 0
        return unsafe sqlite3_aggregate_context(context, size)?
            .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
    }

    private static func newAggregate(of context: OpaquePointer) -> AggregateBox? {
        guard let body = unsafe sqlite3_user_data(context) else { return nil }
        return AggregateBox(unsafe Unmanaged<AggregateBody>.fromOpaque(body).takeUnretainedValue().make())
    }

    private static func aggregateBox(of context: OpaquePointer) -> AggregateBox? {
        guard let slot = unsafe aggregateSlot(of: context, isMade: true) else {
            unsafe sqlite3_result_error_nomem(context)
            return nil
        }
        if let known = unsafe slot.pointee {
            return unsafe Unmanaged<AggregateBox>.fromOpaque(known).takeUnretainedValue()
        }
        guard let box = unsafe newAggregate(of: context) else { return nil }
        unsafe slot.pointee = Unmanaged.passRetained(box).toOpaque()
        return box
    }

    /// Reports the group's value and releases its box; SQLite calls it once, also after an error, and for a group
    /// without rows.
    private static func finishAggregate(of context: OpaquePointer) {
        var box: AggregateBox?
        if let slot = unsafe aggregateSlot(of: context, isMade: false), let known = unsafe slot.pointee {
            box = unsafe Unmanaged<AggregateBox>.fromOpaque(known).takeRetainedValue()
            unsafe slot.pointee = nil
        } else {
            box = unsafe newAggregate(of: context)
        }
        guard let box else { return }
        do {
            unsafe report(try box.aggregate.result(), to: context)
        } catch {
            unsafe report(error, to: context)
        }
    }
}
