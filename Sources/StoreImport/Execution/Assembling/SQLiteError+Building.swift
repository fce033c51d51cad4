import SQLiteAccess
import SQLiteFileBuilder

extension SQLiteError {
    /// Creates an error from an error of the builder, with the code that SQLite would have used.
    init(building error: BuildError) {
        let (code, number): (Int32, Int32) =
            switch error.kind {
            case .file(_, let number): (error.isFull ? Self.full : Self.inputOutput, number)
            case .full: (Self.full, 0)
            case .notUnique, .missing: (Self.constraint, 0)
            default: (Self.general, 0)
            }
        self.init(code: code, message: error.description, path: error.path, systemNumber: number)
    }

    /// Calls a closure, and converts errors of the builder into errors of SQLite.
    static func ofBuilder<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as BuildError {
            throw SQLiteError(building: error)
        }
    }

    // The codes of SQLite's documentation, "Result and Error Codes".
    private static let general: Int32 = 1
    private static let inputOutput: Int32 = 10
    private static let full: Int32 = 13
    private static let constraint: Int32 = 19
}
