import SQLiteAccess
import TestSupport
import Testing

@Suite struct ConnectionFunctionTests {
    private let connection: Connection

    init() throws {
        connection = try Connection(path: ":memory:", access: .create)
    }

    @Test(arguments: [
        SQLiteValue.null, 7, 2.5, "text", .text([0xff, 0, 0x41]), .blob([0, 1]), .text([]), .blob([]),
    ])
    func argumentsAndResultsKeepTheirValue(_ value: SQLiteValue) throws {
        var seen: StorageClass?
        try connection.registerFunction("same", argumentCount: 1, deterministic: true) { arguments in
            seen = arguments.storageClass(0)
            return arguments.value(0)
        }
        #expect(try connection.value("SELECT same(?)", [value]) == value)
        #expect(seen == value.storageClass)
    }

    @Test func argumentsAreReadWithoutCopying() throws {
        try connection.registerFunction("total", argumentCount: -1, deterministic: true) { arguments in
            var sum: Int64 = 0
            for index in 0..<arguments.count where !arguments.isNull(index) {
                sum += arguments.withBytes(index) { Int64($0.count) }
            }
            return .integer(sum)
        }
        #expect(try connection.value("SELECT total('abc', NULL, x'0000', 12)") == 7)
        #expect(try connection.value("SELECT total()") == 0)
    }

    @Test func numbersConvertAsInACast() throws {
        try connection.registerFunction("numbers", argumentCount: 1, deterministic: true) { arguments in
            .string("\(arguments.integer(0)) \(arguments.real(0))")
        }
        #expect(try connection.value("SELECT numbers('12.5x')") == "12 12.5")
    }

    @Test func argumentsOutsideTheCallAreNull() throws {
        try connection.registerFunction("outside", argumentCount: 1, deterministic: true) { arguments in
            #expect(arguments.integer(1) == 0 && arguments.real(-1) == 0)
            #expect(arguments.withBytes(5) { $0.isEmpty })
            return arguments.value(1)
        }
        #expect(try connection.value("SELECT outside(3)") == .null)
    }

    @Test func aThrownErrorEndsTheStatementInItsWords() throws {
        struct Reason: Error, CustomStringConvertible {
            let description = "no such unit: \u{1F984}"
        }
        try connection.registerFunction("fails", argumentCount: 0, deterministic: false) { _ in throw Reason() }
        try connection.registerFunction("fill", argumentCount: 0, deterministic: false) { _ in
            throw SQLiteError(code: 13, message: "the tank is full")
        }
        let error = #expect(throws: SQLiteError.self) { try connection.value("SELECT fails()") }
        #expect(error?.message == "no such unit: \u{1F984}")
        let full = #expect(throws: SQLiteError.self) { try connection.value("SELECT fill()") }
        #expect(full?.isFull == true)
        #expect(full?.message == "the tank is full")
    }

    @Test func theClosureGoesWithTheConnectionOrItsReplacement() throws {
        final class Token {}
        weak var first: Token?
        weak var second: Token?
        do {
            let connection = try Connection(path: ":memory:", access: .create)
            do {
                let (one, two) = (Token(), Token())
                (first, second) = (one, two)
                try connection.registerFunction("f", argumentCount: 0, deterministic: true) { _ in
                    withExtendedLifetime(one) { .null }
                }
                try connection.registerFunction("f", argumentCount: 0, deterministic: true) { _ in
                    withExtendedLifetime(two) { .integer(2) }
                }
            }
            #expect(first == nil)
            #expect(second != nil)
            #expect(try connection.value("SELECT f()") == 2)
        }
        #expect(second == nil)
    }

    @Test func aSchemaCannotCallTheFunction() throws {
        try connection.registerFunction("secret", argumentCount: 0, deterministic: true) { _ in 42 }
        try connection.execute("CREATE VIEW V AS SELECT secret() AS s")
        let error = #expect(throws: SQLiteError.self) { try connection.value("SELECT s FROM V") }
        #expect(error?.message.contains("unsafe use of secret()") == true)
    }

    @Test func tooManyArgumentsInTheDeclarationAreAnError() {
        #expect(throws: SQLiteError.self) {
            try connection.registerFunction("f", argumentCount: 5000, deterministic: true) { _ in .null }
        }
    }
}
