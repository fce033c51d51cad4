internal import CSQLite

/// The closure of an SQL function, boxed so that C can own it.
private final class FunctionBody {
    let call: (borrowing FunctionArguments) throws -> SQLiteValue

    init(_ call: @escaping (borrowing FunctionArguments) throws -> SQLiteValue) {
        self.call = call
    }
}

extension Connection {
    /// Registers a closure as an SQL function; an error that it throws becomes the statement's error.
    /// - Parameters:
    ///   - name: the function's name in SQL.
    ///   - argumentCount: the number of arguments; -1 for any number.
    ///   - deterministic: whether equal arguments always give equal results; SQLite then calls it less often.
    ///   - isInnocuous: whether it is harmless, so that the triggers and views of any file may call it.
    ///   - body: receives the arguments of a call, and returns the value.
    /// - Throws: `SQLiteError` if the connection is closed, or SQLite refuses the name or the number of arguments.
    public func registerFunction(
        _ name: String, argumentCount: Int32, deterministic: Bool, isInnocuous: Bool = false,
        _ body: @escaping (borrowing FunctionArguments) throws -> SQLiteValue
    ) throws(SQLiteError) {
        let connection = unsafe try open()
        let box = unsafe Unmanaged.passRetained(FunctionBody(body)).toOpaque()
        let flags = SQLITE_UTF8 | (deterministic ? SQLITE_DETERMINISTIC : 0) | (isInnocuous ? SQLITE_INNOCUOUS : 0)
        // On failure SQLite also calls the destructor, so the box is never leaked.
        let code = unsafe sqlite3_create_function_v2(
            connection, name, argumentCount, flags, box,
            { context, count, values in
                guard let context = unsafe context, let body = unsafe sqlite3_user_data(context) else { return }
                let box = unsafe Unmanaged<FunctionBody>.fromOpaque(body).takeUnretainedValue()
                let arguments = unsafe FunctionArguments(values: values, count: Int(count))
                do {
                    unsafe Connection.report(try box.call(arguments), to: context)
                } catch {
                    unsafe Connection.report(error, to: context)
                }
            }, nil, nil,
            { box in
                if let box = unsafe box { unsafe Unmanaged<FunctionBody>.fromOpaque(box).release() }
            })
        guard code == SQLITE_OK else { throw failure(code) }
    }

    static func report(_ value: SQLiteValue, to context: OpaquePointer) {
        switch value {
        case .null: unsafe sqlite3_result_null(context)
        case .integer(let value): unsafe sqlite3_result_int64(context, value)
        case .real(let value): unsafe sqlite3_result_double(context, value)
        case .text(let bytes):
            unsafe bytes.withUnsafeBytes { unsafe csqlite_result_text(context, $0.baseAddress, UInt64($0.count)) }
        case .blob(let bytes):
            unsafe bytes.withUnsafeBytes { unsafe csqlite_result_blob(context, $0.baseAddress, UInt64($0.count)) }
        }
    }

    static func report(_ error: any Error, to context: OpaquePointer) {
        let known = error as? SQLiteError
        var message = known?.message ?? String(describing: error)
        message.withUTF8 { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) {
                unsafe sqlite3_result_error(context, $0.baseAddress, Int32(clamping: $0.count))
            }
        }
        if let known { unsafe sqlite3_result_error_code(context, known.code) }
    }
}
