import SQLiteAccess
import SQLiteFileBuilder
import Synchronization

/// The schemas of new files, by the statements that create them. Stores of one version share the same schema.
final class SchemaMemo: Sendable {
    private let schemas: Mutex<Memo<[String], DatabaseSchema>>

    init(capacity: Int) {
        schemas = Mutex(Memo(capacity: capacity))
    }

    func schema(making statements: [String]) throws(SQLiteError) -> DatabaseSchema {
        try schemas.withLock { schemas throws(SQLiteError) in
            try schemas.value(of: statements) { () throws(SQLiteError) in try DatabaseSchema(making: statements) }
        }
    }
}
