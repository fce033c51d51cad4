import CommandLineParsing
import ManagedObjectModels
import PersistentStores
import StoreMigration
import SwiftDataModels

/// Which version of Swift sources a store has, and what the store tells where no rule is established.
struct FitRequest {
    let store: String
    let operands: [String]
    let selection: SwiftDataSelection

    func run() throws -> ExitStatus {
        let opened = try SQLiteStore(path: store)
        let hashes = opened.metadata.versionHashes.compactMapValues { VersionHash(bytes: $0) }
        guard let sources = try SwiftDataSources(paths: operands, selection: selection) else {
            throw ModelError(.source("no class of these sources is a @Model"), path: operands.joined(separator: ", "))
        }
        guard let best = sources.fits(hashes).first else {
            throw ModelError(.source("the sources have no version"), path: sources.path)
        }
        var lines = [
            best.fits
                ? "\(store) has the version \(best.version)"
                : "the store \(store) is not of any of these versions; \(best.version) comes nearest "
                    + "(\(best.fittingCount) of \(best.entities.count) entities)"
        ]
        best.problems.forEach { Console.note("warning: \($0)\n") }
        var search = DeclarationSearch()
        // What the store says of itself tells which declaration differs.
        let own = try StoreModel(opened).flatMap { try? ResolvedModel($0.version.model()) }
        let stored = own.map { ModelHashes.propertyHashes(of: $0) }
        let declared = (try? ResolvedModel(best.model)).map { ModelHashes.propertyHashes(of: $0) }
        for entity in best.entities {
            switch entity.result {
            case .equal: continue
            case .onlyInStore: lines.append("  \(entity.name): only in the store")
            case .onlyInSources: lines.append("  \(entity.name): only in the sources")
            case .answered(let answers):
                lines.append("  \(entity.name): has the store's hash with")
                lines += answers.map { "    \($0.property): \($0.answer)  (\($0.reason))" }
            case .different:
                lines.append("  \(entity.name): has another hash")
                if let stored = stored?[entity.name], let declared = declared?[entity.name] {
                    lines += Self.differences(stored, declared)
                } else {
                    let change = hashes[entity.name].flatMap {
                        search.change(of: entity.name, in: best.model, giving: $0.bytes)
                    }
                    lines.append(
                        change.map { "    in the store: \($0)" }
                            ?? "    no single change of a declaration gives the store's; the store carries no model")
                }
            }
        }
        Console.print(lines.joined(separator: "\n") + "\n")
        return best.fits && best.problems.isEmpty ? .done : .findings
    }

    private static func differences(_ stored: [String: VersionHash], _ declared: [String: VersionHash]) -> [String] {
        let names = Set(stored.keys).union(declared.keys).sorted().filter { stored[$0] != declared[$0] }
        if names.isEmpty {
            return ["    the parent, the uniqueness constraints or the hash modifier differ"]
        }
        return names.map { name in
            stored[name] == nil
                ? "    \(name): only in the sources"
                : declared[name] == nil ? "    \(name): only in the store" : "    \(name): declared otherwise"
        }
    }
}
