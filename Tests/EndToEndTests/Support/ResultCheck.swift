import Foundation
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import TestSupport

/// What the independent checker, SQLite and the model say of a migrated store.
struct ResultCheck {
    let original: String
    let sourceModel: String
    let result: String
    let destinationModel: String

    /// What is wrong; what was wrong in the source already does not count.
    func faults(model: ManagedObjectModel? = nil, checksIndexes: Bool = true) throws -> [String] {
        var faults: [String] = []
        let migrated = try StoreChecker.check("migrated", original, sourceModel, result, destinationModel)
        if migrated.status != 0 { faults.append("migrated: \(migrated.text)") }
        for command in ["layout", "integrity"] {
            let verdict = try StoreChecker.check(command, result, destinationModel)
            if verdict.status != 0, try StoreChecker.check(command, original, sourceModel).status == 0 {
                faults.append("\(command): \(verdict.text)")
            }
            // Missing indexes are only warnings to the checker: Core Data would work, slowly.
            if checksIndexes, verdict.text.contains("no index on") || verdict.text.contains("no unique index") {
                faults.append("\(command): \(verdict.text)")
            }
        }
        if let model { faults += try derivedFaults(ResolvedModel(model)) }
        return faults
    }

    /// Derived values are what they are derived from: the checker does not look at them.
    private func derivedFaults(_ model: ResolvedModel) throws -> [String] {
        let connection = try Connection(path: result, access: .readOnly, busyTimeout: 2000)
        let layout = LayoutMatching.layout(of: model, in: try StoreSchema(of: connection), numbersByName: [:])
        var faults: [String] = []
        for entity in model.entities {
            for attribute in entity.declaredAttributes {
                guard let derivation = attribute.description.derivationExpression,
                    let column = layout.column(.attribute(attribute.key))?.name,
                    let table = layout.table(ofEntity: entity.slot)?.name
                else { continue }
                let parts = derivation.split(separator: ".").map(String.init)
                guard parts.count == 2, let relationship = entity.relationship(named: parts[0]),
                    let target = layout.table(ofEntity: relationship.destination)?.name
                else { continue }
                let value: String
                if parts[1] == "@count", let inverse = relationship.inverse,
                    let key = layout.column(.toOne(inverse.key))?.name
                {
                    value = "(SELECT count(*) FROM \(quoted(target)) t WHERE t.\(quoted(key)) = s.Z_PK)"
                } else if let key = layout.column(.toOne(relationship.key))?.name,
                    let source = model.entities[relationship.destination].attribute(named: parts[1]),
                    let name = layout.column(.attribute(source.key))?.name
                {
                    value = "(SELECT t.\(quoted(name)) FROM \(quoted(target)) t WHERE t.Z_PK = s.\(quoted(key)))"
                } else {
                    continue
                }
                let numbers = entity.subtree.map { String(model.entities[$0].number) }.joined(separator: ", ")
                let count =
                    try connection.value(
                        "SELECT count(*) FROM \(quoted(table)) s WHERE s.Z_ENT IN (\(numbers)) "
                            + "AND s.\(quoted(column)) IS NOT \(value)"
                    ).integer ?? 0
                if count > 0 { faults.append("\(entity.name).\(attribute.name) is not \(derivation) in \(count) rows") }
            }
        }
        return faults
    }

    private func quoted(_ name: String) -> String { SQLiteIdentifier.quoted(name) }

    /// Files beside the result that should not be there.
    func leftovers() throws -> [String] {
        let folder = FileSystem.directory(of: result)
        let name = FileSystem.name(of: result)
        let support = FileSystem.name(of: StoreFiles(result).supportDirectory)
        return try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0 != name && $0 != support && $0 != name + "-shm" && !isEmptyLog($0, of: name, in: folder) }
            .map { "\($0) is left beside the result" }
    }

    /// SQLite leaves an empty log where a reader was the last to close.
    private func isEmptyLog(_ file: String, of name: String, in folder: String) -> Bool {
        file == name + "-wal" && FileSystem.size(folder + "/" + file) == 0
    }
}
