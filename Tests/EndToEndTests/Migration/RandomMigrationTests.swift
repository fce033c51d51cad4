import Foundation
import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import TestSupport
import Testing

/// Models, changes and stores at random: the tool and the independent checker must agree on whether the store can be
/// migrated, and on what comes out.
///
/// `FERRY_SEEDS=1000-2000` tries other numbers, `FERRY_KEEP_FAILURES=FOLDER` keeps what failed.
@Suite(.enabled(if: StoreChecker.isPresent, "the checker of stores is not on this machine"))
struct RandomMigrationTests {
    static let seeds: [UInt64] = {
        let bounds = (TestSettings.value("FERRY_SEEDS") ?? "").split(separator: "-").compactMap {
            UInt64($0)
        }
        return bounds.count == 2 ? Array(bounds[0]...bounds[1]) : Array(1...60)
    }()

    @Test(.long, arguments: seeds)
    func verdictAndResultAreTheCheckers(seed: UInt64) throws {
        let pair = try RandomPair(seed: seed)
        let faults = try Self.faults(of: pair)
        #expect(faults == [], "seed \(seed)")
        if !faults.isEmpty, let folder = TestSettings.value("FERRY_KEEP_FAILURES") {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let target = "\(folder)/\(seed)"
            try? FileManager.default.removeItem(atPath: target)
            try FileManager.default.copyItem(atPath: pair.folder.directory.path, toPath: target)
            try faults.joined(separator: "\n\n").write(
                toFile: target + "/faults.txt", atomically: false, encoding: .utf8)
        }
    }

    private static func faults(of pair: RandomPair) throws -> [String] {
        let original = pair.folder.store
        let fit = try StoreChecker.check("layout", original, pair.sourceModel)
        guard fit.status == 0 else { return ["the generated store is wrong: \(fit.text)"] }
        let opinion = try StoreChecker.check("migrated", original, pair.sourceModel, original, pair.destinationModel)
        let before = try FolderState(of: pair.folder.directory.path + "/original")
        let words = ["--models", pair.bundle, "--from", RandomPair.old, "--to", RandomPair.new, "--progress", "none"]
        let dryRun = try ToolProcess.ferry(["migrate", original, "--dry-run", "--json"] + words)
        guard dryRun.signal == nil, [0, 1, 2].contains(dryRun.status), let plan = try? PlanReading(dryRun.output) else {
            return ["dry run: \(dryRun.summary)"]
        }
        guard before == (try FolderState(of: pair.folder.directory.path + "/original")) else {
            return ["the dry run wrote something"]
        }
        if opinion.status == 3, dryRun.status != 2, isOnlyAboutDerivedAttributes(opinion.text, pair) {
            let (run, _) = try pair.folder.migrate(.output, words)
            return run.status == dryRun.status ? [] : ["a derived attribute becomes plain: \(run.summary)"]
        }
        if opinion.status == 3 || opinion.status == 2 {
            guard dryRun.status == 2, opinion.status == 3 else {
                return ["the checker says \(opinion.text), the dry run \(dryRun.summary)"]
            }
            return try refusalFaults(of: pair, words)
        }
        // The changes took all that the versions had in common.
        if plan.refusals == ["no-common-entity"] { return try refusalFaults(of: pair, words) }
        // What the checker does not count.
        if !plan.refusals.isEmpty,
            plan.refusals.isSubset(of: [
                "uniqueness-violated", "shared-destinations", "number-narrowed", "shared-renaming-identifier",
            ])
        {
            var faults = try refusalFaults(of: pair, words) + narrowingFaults(of: pair, plan)
            if plan.refusals.contains("shared-renaming-identifier") { return faults + identifierFaults(of: pair, plan) }
            if plan.refusals.contains("shared-destinations") {
                faults += sharingFaults(plan)
            } else if plan.refusals.contains("uniqueness-violated") {
                faults += try duplicateFaults(of: pair)
            }
            return faults
        }
        guard dryRun.status != 2 else { return ["the checker thinks it possible, the dry run: \(dryRun.summary)"] }
        var faults: [String] = []
        for placement in Placement.allCases {
            let (run, result) = try pair.folder.migrate(placement, words)
            let check = ResultCheck(
                original: original, sourceModel: pair.sourceModel, result: result,
                destinationModel: pair.destinationModel)
            // The dry run also looks for faults that do not decide.
            guard run.status == dryRun.status || (run.status == 0 && dryRun.status == 1), run.signal == nil else {
                faults.append("\(placement): the dry run ended with \(dryRun.status), the migration: \(run.summary)")
                continue
            }
            // A store that needs no migration stays as it is, log and all.
            let isUpToDate = plan.upToDate == true
            let found =
                try check.faults(model: pair.destination, checksIndexes: !isUpToDate)
                + (isUpToDate ? [] : check.leftovers())
            faults += found.map {
                "\(placement): \($0)\n\(run.summary)"
            }
        }
        return faults
    }

    /// Whether all that the checker objects to are types of attributes that were derived and no longer are: these do not
    /// correspond to the old ones, whose values were computed, and begin with their default values.
    private static func isOnlyAboutDerivedAttributes(_ text: String, _ pair: RandomPair) -> Bool {
        let objections = text.trimmingPrefix("not inferable: ").split(separator: ";")
        return objections.allSatisfy { objection in
            let words = objection.split(whereSeparator: \.isWhitespace)
            guard words.dropFirst().starts(with: ["changes", "its", "type"]), let dot = words[0].firstIndex(of: ".")
            else { return false }
            let (owner, name) = (words[0][..<dot], words[0][words[0].index(after: dot)...])
            func isDerived(_ model: ManagedObjectModel, _ entity: String) -> Bool {
                model.entity(named: entity)?.attributes.contains { $0.name == name && $0.isDerived } ?? false
            }
            let old = pair.destination.entity(named: String(owner))?.renamingIdentifier ?? String(owner)
            return isDerived(pair.source, old) && !isDerived(pair.destination, String(owner))
        }
    }

    /// A refused migration changes nothing, wherever the result would go.
    private static func refusalFaults(of pair: RandomPair, _ words: [String]) throws -> [String] {
        try Placement.allCases.compactMap { placement in
            let (run, result) = try pair.folder.migrate(placement, words)
            guard run.status == 2 else { return "\(placement) is not refused: \(run.summary)" }
            let folder = pair.folder.directory.file(placement.rawValue)
            let changed = try FolderState(of: folder).byteDifferences(
                from: FolderState(of: pair.folder.directory.file("original")))
            if !changed.isEmpty { return "\(placement) is refused, and changed \(changed)" }
            let isWritten = placement == .output && FileManager.default.fileExists(atPath: result)
            return isWritten ? "a refused migration wrote \(result)" : nil
        }
    }

    /// Whether the rows really break the new constraints: without them the migration works, and they are broken.
    private static func duplicateFaults(of pair: RandomPair) throws -> [String] {
        var model = pair.destination
        for index in model.entities.indices { model.entities[index].uniquenessConstraints = [] }
        let bundle = pair.folder.directory.file("Without.xcdatamodeld")
        try GeneratedModels.write([(RandomPair.old, pair.source), ("Without", model)], to: bundle)
        let result = pair.folder.directory.file("without.sqlite")
        let run = try ToolProcess.ferry([
            "migrate", try pair.folder.copy(named: "without"), "--models", bundle, "--from", RandomPair.old, "--to",
            "Without", "--output", result, "--progress", "none", "--narrowing", "round",
        ])
        guard run.status < 2 else { return ["without its constraints the migration fails: \(run.summary)"] }
        let connection = try Connection(path: result, access: .readOnly)
        let layout = LayoutPrediction.layout(of: try ResolvedModel(pair.destination))
        for index in layout.indexes().indexes where index.isUnique {
            let names = index.columns.map { SQLiteIdentifier.quoted($0.name) }
            let conditions = names.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
            let groups = try connection.rows(
                "SELECT count(*) FROM \(SQLiteIdentifier.quoted(index.table)) WHERE \(conditions) "
                    + "GROUP BY \(names.joined(separator: ", ")) HAVING count(*) > 1")
            if !groups.isEmpty { return [] }
        }
        return ["refused, but no constraint is broken"]
    }

    /// Whether another property has the renaming identifier of each that the plan names.
    private static func identifierFaults(of pair: RandomPair, _ plan: PlanReading) -> [String] {
        plan.findings.filter { $0.code == "shared-renaming-identifier" && $0.severity == "error" }.compactMap {
            finding in
            let names = (finding.subject ?? "").split(separator: ".").map(String.init)
            let model = try? ResolvedModel(pair.destination)
            guard names.count == 2, let model, let slot = model.slot(named: names[0]) else {
                return "the plan names \(finding.subject ?? "nothing")"
            }
            let entity = model.entities[slot]
            let all =
                entity.attributes.map { ($0.name, $0.description.renamingIdentifier) }
                + entity.relationships.map { ($0.name, $0.description.renamingIdentifier) }
            let own = all.filter { $0.0 == names[1] }.flatMap { [$0.0, $0.1 ?? $0.0] }
            let others = all.filter { $0.0 != names[1] }.map { $0.1 ?? $0.0 }
            return own.contains(where: others.contains) ? nil : "\(names) shares its renaming identifier with nothing"
        }
    }

    /// Whether there are just as many numbers as the plan says that the new type does not have: the checker has no
    /// opinion on them.
    private static func narrowingFaults(of pair: RandomPair, _ plan: PlanReading) throws -> [String] {
        let connection = try Connection(path: pair.folder.store, access: .readOnly)
        let (source, destination) = (try ResolvedModel(pair.source), try ResolvedModel(pair.destination))
        let layout = LayoutMatching.layout(of: source, in: try StoreSchema(of: connection), numbersByName: [:])
        let findings = plan.findings.filter { $0.code == "number-narrowed" && $0.severity == "error" }
        return try findings.compactMap { finding in
            let names = (finding.subject ?? "").split(separator: ".").map(String.init)
            guard names.count == 2, let entity = pair.destination.entity(named: names[0]),
                let attribute = destination.slot(named: names[0])
                    .flatMap({ destination.entities[$0].attribute(named: names[1]) }),
                let slot = source.slot(named: entity.renamingIdentifier ?? entity.name),
                let old = source.entities[slot].attribute(
                    named: attribute.description.renamingIdentifier ?? attribute.name),
                let column = layout.column(.attribute(old.key)), let table = layout.table(ofEntity: slot)
            else { return "no number changes its type: \(finding.subject ?? "without a subject")" }
            let rows = try connection.rows(
                "SELECT \(SQLiteIdentifier.quoted(column.name)) FROM \(SQLiteIdentifier.quoted(table.name)) "
                    + "WHERE Z_ENT = \(layout.entityNumbers[slot])")
            let misfits = rows.filter { !attribute.type.has($0[0]) }
            return misfits.count == finding.count
                ? nil : "\(names) has \(misfits.count) numbers that \(attribute.type) lacks, not \(finding.count ?? 0)"
        }
    }

    /// To the checker a destination may have several owners in a to-many without inverse, which no store can keep: the
    /// plan has to name such destinations.
    private static func sharingFaults(_ plan: PlanReading) -> [String] {
        let isNamed = plan.findings.contains {
            $0.code == "shared-destinations" && ($0.count ?? 0) > 0 && !$0.examples.isEmpty
        }
        return isNamed ? [] : ["refused for shared destinations without naming one"]
    }
}

extension AttributeType {
    /// Whether a stored value is a number of the type, or NULL.
    fileprivate func has(_ value: SQLiteValue) -> Bool {
        let (whole, real): (Int64?, Double?)
        switch value {
        case .null: return true
        case .integer(let number): (whole, real) = (number, Double(exactly: number))
        case .real(let number): (whole, real) = (Int64(exactly: number), number)
        default: return false
        }
        return switch self {
        case .boolean: whole == 0 || whole == 1
        case .integer16: whole.flatMap(Int16.init(exactly:)) != nil
        case .integer32: whole.flatMap(Int32.init(exactly:)) != nil
        case .integer64: whole != nil
        case .float: real.flatMap(Float.init(exactly:)) != nil
        case .double: real != nil
        default: true
        }
    }
}
