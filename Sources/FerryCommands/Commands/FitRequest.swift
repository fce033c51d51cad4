import CommandLineParsing
import ManagedObjectModels
import PersistentStores
import StoreMigration
import SwiftDataModels

/// Finds the version of Swift sources that a store has, and the rules that the store shows for cases without a known
/// rule.
struct FitRequest {
    let store: String
    let operands: [String]
    let selection: SwiftDataSelection
    /// The file in which these rules are saved; nil if they are not saved.
    let rulesFile: String?
    let isForced: Bool

    init(store: String, options: HashesOptions) {
        self.store = store
        operands = options.operands
        // A file that is to be written may not exist yet.
        var selection = options.sources.selection
        rulesFile = options.saves ? selection.rules ?? SwiftDataRules.path(beside: operands[0]) : nil
        if rulesFile != nil, let rules = selection.rules, !FileSystem.exists(rules) { selection.rules = nil }
        self.selection = selection
        isForced = options.isForced
    }

    func run() throws -> ExitStatus {
        let opened = try SQLiteStore(path: store)
        let hashes = opened.metadata.versionHashes.compactMapValues { VersionHash(bytes: $0) }
        guard let sources = try SwiftDataSources(paths: operands, selection: selection) else {
            throw ModelError(.source("no class of these sources is a @Model"), path: operands.joined(separator: ", "))
        }
        guard let best = sources.fits(hashes, ignoringRules: rulesFile != nil).first else {
            throw ModelError(.source("the sources have no version"), path: sources.path)
        }
        var lines = [
            best.fits
                ? "\(store) has the version \(best.version)"
                : "the store \(store) is not of any of these versions; \(best.version) comes nearest "
                    + "(\(best.fittingCount) of \(best.entities.count) entities)"
        ]
        if !best.excluded.isEmpty {
            lines += ["  if these files are left out, which declare types that others declare as well:"]
            lines += best.excluded.map { "    --exclude \($0)" }
        }
        // Once the rule from the store is saved, the type of its property is known.
        let told = rulesFile == nil ? [] : best.rules.rules
        let problems = best.problems.filter { problem in
            !told.contains { $0.entity == problem.entity && $0.property == problem.property }
        }
        problems.forEach { Console.note("warning: \($0)\n") }
        let search = DeclarationSearch(
            entities: best.entities.count { if case .different = $0.result { true } else { false } })
        // The model in the store shows which declaration differs.
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
                            ?? "    no small set of changes gives the hash of the store, which carries no model")
                }
            }
        }
        Console.print(lines.joined(separator: "\n") + "\n")
        if let rulesFile, try !keep(best.rules, in: rulesFile) { return .failed }
        return best.fits && problems.isEmpty && best.excluded.isEmpty ? .done : .findings
    }

    /// Adds rules to their file; returns false without changing the file if it contradicts them.
    private func keep(_ rules: SwiftDataRules, in path: String) throws -> Bool {
        guard !rules.rules.isEmpty else {
            Console.note("The store tells nothing that the rules do not; \(path) stays as it is\n")
            return true
        }
        let former = FileSystem.exists(path) ? try SwiftDataRules(path: path) : SwiftDataRules()
        let contradictions = former.contradictions(to: rules)
        guard contradictions.isEmpty || isForced else {
            let names = contradictions.map { "\($0.0.entity).\($0.0.property)" }.joined(separator: ", ")
            Console.note("ferry: \(path): the rules say otherwise of \(names); replace them with --force\n")
            return false
        }
        try CommandOutput.write(former.adding(rules).text, to: path, isReplacing: true)
        let count = rules.rules.count
        Console.print("Kept \(count) rule\(count == 1 ? "" : "s") in \(path)\n")
        return true
    }

    private static func differences(_ stored: [String: VersionHash], _ declared: [String: VersionHash]) -> [String] {
        let differences = PropertyDifferences(stored: stored, declared: declared).properties
        if differences.isEmpty {
            return ["    the parent, the uniqueness constraints or the hash modifier differ"]
        }
        return differences.map { name, kind in
            switch kind {
            case .onlyInModel: "    \(name): only in the sources"
            case .onlyInStore: "    \(name): only in the store"
            case .declaredOtherwise: "    \(name): declared otherwise"
            }
        }
    }
}
