import PersistentStores
import PredicateExpressions
import SQLiteAccess

/// A predicate or expression that SQLite calls with an object's primary key, because only Swift can evaluate it.
struct RowFunction: Sendable {
    enum Program: Sendable {
        case predicate(PredicateProgram)
        case expression(ExpressionProgram)
    }

    /// The name in SQL.
    let name: String
    let program: Program
    /// The properties that the program's slots refer to.
    let names: [ObjectSlot]
    /// The entity of the objects.
    let entity: Int
    /// The entity of the objects with the fetched property, whose keys are the second argument; nil if there is none.
    let source: Int?
    let now: Double

    func register(on connection: Connection, reading reader: PropertyReader) throws(SQLiteError) {
        try connection.registerFunction(name, argumentCount: source == nil ? 1 : 2, deterministic: true) { arguments in
            let context = ObjectContext(
                reader: reader, names: names, object: reader.reference(entity, arguments.integer(0)),
                source: source.map { reader.reference($0, arguments.integer(1)) }, now: now)
            do {
                switch program {
                case .predicate(let program):
                    return try program.evaluate(in: context).map { .integer($0 ? 1 : 0) } ?? .null
                case .expression(let program): return try program.evaluate(in: context).sqliteValue
                }
            } catch {
                reader.failure = error
                throw error
            }
        }
    }
}
