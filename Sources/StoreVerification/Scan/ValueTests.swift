import KeyedArchives
import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// Tests of values that only Swift can do, callable from the statements of scans as `ferry_breaks(number, value)`.
final class ValueTests {
    private static let function = "ferry_breaks"
    private static let lengthFunction = "ferry_units"

    private var tests: [(borrowing FunctionArguments) -> Bool] = []

    /// What could not be evaluated, by the subject: once is enough to say so.
    private(set) var unchecked: [(subject: String, reason: String)] = []

    init(_ connection: Connection) throws(SQLiteError) {
        try connection.registerFunction(
            Self.function, argumentCount: 2, deterministic: true
        ) { [unowned self] arguments in
            let number = Int(arguments.integer(0))
            guard tests.indices.contains(number) else { return .null }
            return .integer(tests[number](arguments) ? 1 : 0)
        }
        try connection.registerFunction(Self.lengthFunction, argumentCount: 1, deterministic: true) { arguments in
            // UTF-16 units, as Core Data counts: continuation bytes begin none, four-byte sequences make two.
            let units = arguments.withBytes(0) { bytes in
                bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : $1 >= 0xF0 ? 2 : 1) }
            }
            return .integer(Int64(units))
        }
    }

    /// SQL for the length of a text in UTF-16 units.
    static func length(_ value: String) -> String { "\(lengthFunction)(\(value))" }

    /// SQL that is true for values that a predicate of the model is false of; nil if it cannot be evaluated.
    func condition(
        failing predicate: Predicate, _ value: String, of attribute: ResolvedAttribute, subject: String
    ) -> String? {
        let program: PredicateProgram
        do {
            var names = ValueNames()
            program = try predicate.compile(resolving: &names)
        } catch {
            note(subject, "\(error)")
            return nil
        }
        let kind = StoreSQLSchema.kind(of: attribute.type) ?? .data
        return condition(value) { [unowned self] arguments in
            do {
                let context = RecordContext([ExpressionValue(stored: arguments.value(1), kind: kind)])
                return try program.evaluate(in: context) == false
            } catch {
                note(subject, "\(error)")
                return false
            }
        }
    }

    /// SQL that is true for bytes that are not a keyed archive with a root.
    func condition(noArchive value: String) -> String {
        condition(value) { arguments in
            let bytes = arguments.withBytes(1) { Array($0) }
            guard let archive = try? KeyedArchive(bytes), let name = archive.rootNames.first else { return true }
            if (try? archive.root(name)) != nil { return false }
            // A text or a number has no class: then it is not an object, and all the same a value.
            return !bytes.starts(with: "bplist".utf8)
        }
    }

    /// SQL that is true for names of files with which something is wrong in one way.
    func condition(_ rule: VerificationRule, ofFileNamed value: String, in files: ExternalFiles) -> String {
        condition(value) { arguments in
            files.rule(forFileNamed: arguments.withBytes(1) { Array($0) }) == rule
        }
    }

    /// For what a predicate or an expression of the model leaves unchecked.
    func note(_ subject: String, _ reason: String) {
        if !unchecked.contains(where: { $0.subject == subject }) { unchecked.append((subject, reason)) }
    }

    private func condition(_ value: String, _ test: @escaping (borrowing FunctionArguments) -> Bool) -> String {
        tests.append(test)
        return "\(value) IS NOT NULL AND \(Self.function)(\(tests.count - 1), \(value))"
    }
}
