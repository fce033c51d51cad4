import CommandLineParsing
import PersistentStores
import StoreConversion

extension StorePragmas {
    /// Creates the settings that `--pragma` specifies.
    init(_ arguments: [Assignment]) throws(UsageError) {
        do {
            try self.init(arguments.map { ($0.name, $0.value) })
        } catch {
            switch error.code {
            case .unknown(let name):
                throw .badValue(name, of: "--pragma", amongAll: StorePragma.allCases.map(\.rawValue))
            case .badValue(let pragma, let value), .weaker(let pragma, let value):
                throw .badValue(value, of: "--pragma \(pragma.rawValue)", amongAll: pragma.values)
            case .onlyNew(let pragma): throw .conflict("--pragma \(pragma.rawValue)", with: "a store that is there")
            }
        }
    }

    /// Throws an error unless the type is SQLite, because other stores have no such settings.
    func check(for type: PersistentStoreType) throws(UsageError) {
        if !isEmpty, type != .sqlite { throw .conflict("--pragma", with: "a store that is not SQLite") }
    }
}

extension Flag where Options: OptionTable {
    static func pragmas(_ path: Path<[Assignment]>) -> Self {
        .values(
            "pragma", path, placeholder: "NAME=VALUE",
            "A setting of the SQLite store, such as auto_vacuum, journal_mode, page_size or synchronous.")
    }
}
