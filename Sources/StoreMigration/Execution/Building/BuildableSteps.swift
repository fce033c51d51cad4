import PersistentStores

/// The steps of a program that the builder executes before SQLite opens the new file, or the reasons why there are
/// none.
///
/// The keys that several sources share are determined first. The builder then creates the tables, fills those whose
/// rows depend only on the source, appends the objects of the first policies in Swift, and builds indexes. SQLite
/// executes the remaining steps in order.
struct BuildableSteps {
    /// The positions of the steps that create tables and indexes. They are executed in order to determine the schema.
    let schema: [Int]
    /// The positions of the steps that create tables of `KeyTables`.
    let keys: [Int]
    /// The positions of the steps that fill tables.
    let fills: [Int]
    /// The positions of the steps that change links in the rows of these tables, in order; either all of them or none.
    let links: [Int]
    /// The positions of the policies that create the objects of tables, in order. If one of them needs the file, the
    /// policies after it are left to SQLite too.
    let policies: [Int]
    /// The reasons why a new file is not built; empty if it is.
    let declined: [String]

    var all: Set<Int> { Set(schema + keys + fills + links) }

    /// - Parameter appendsObjects: whether policies may create objects before SQLite opens the file. What they answer is
    ///   then lost if the run is interrupted.
    init(_ program: MigrationProgram, appendsObjects: Bool = true) {
        guard program.arena == .newFile else {
            (schema, keys, fills, links, policies) = ([], [], [], [], [])
            declined = ["the rows stay in the same file"]
            return
        }
        let steps = program.steps
        // A policy may look up the objects of the mappings before its own, and no others.
        let policy = steps.firstIndex { if case .policy = $0.work { true } else { false } } ?? steps.endIndex
        var fillsByTable: [String: [Int]] = [:]
        for (position, step) in steps.enumerated() {
            switch step.work {
            case .fill, .fillWhole: fillsByTable[step.table, default: []].append(position)
            default: break
            }
        }
        // Steps that read other tables of the new file are executed after SQLite has opened it.
        let isBuilt = steps.indices.map { position in
            position < policy
                && steps[position].additions.map { !$0.readsResult } ?? false
        }
        let fills = fillsByTable.values.filter { $0.allSatisfy { isBuilt[$0] } }.joined().sorted()
        let policies = appendsObjects ? Self.policies(of: steps, behind: Set(fills), fillsByTable) : []
        guard let last = (fills + policies).last else {
            (schema, keys, self.fills, links, self.policies) = ([], [], [], [], [])
            declined = ["the rows of every table depend on other rows of the new store"]
            return
        }
        let built = Set(fills.map { steps[$0].table })
        var changes: [(position: Int, change: LinkChange)] = []
        for (position, step) in steps.enumerated() {
            if let change = step.linkChange { changes.append((position, change)) }
        }
        // A policy may look up all rows, and set any links itself.
        let areKnown =
            policy == steps.endIndex
            && changes.allSatisfy { _, change in
                change.isKnownBefore && change.tables.allSatisfy { fillsByTable[$0] == nil || built.contains($0) }
            }
        let links = areKnown ? changes.map(\.position) : []
        /// Tables whose rows are changed later; their indexes are created after the changes.
        var changed = Set<String>()
        for (position, step) in steps.enumerated() where position > last && !links.contains(position) {
            if step.phase != .schema, step.phase != .indexes { changed.insert(step.table) }
        }
        for position in fills {
            for (later, step) in steps.enumerated().dropFirst(position + 1)
            where step.table == steps[position].table && !links.contains(later) {
                if step.phase == .relationships || step.phase == .derivedAttributes { changed.insert(step.table) }
            }
        }
        // The builder may not be able to write tables that do not belong to the model.
        let foreign = Set(
            fillsByTable.filter { table, fills in
                !built.contains(table) && fills.allSatisfy { steps[$0].phase == .keptTables }
            }.keys)
        self.fills = fills
        self.links = links
        self.policies = policies
        keys = steps.indices.filter { steps[$0].isTemporary }
        schema = steps.indices.filter { position in
            guard case .statement = steps[position].work else { return false }
            let step = steps[position]
            return step.phase == .schema && position < last && !step.isTemporary && !foreign.contains(step.table)
                || policy == steps.endIndex && step.phase == .indexes
                    && built.contains(step.table) && !changed.contains(step.table)
        }
        declined = []
    }

    /// Returns the positions of the policies that come before all steps that only SQLite can execute, except for the
    /// creation of their tables of pairs.
    private static func policies(
        of steps: [MigrationStep], behind fills: Set<Int>, _ fillsByTable: [String: [Int]]
    ) -> [Int] {
        var result: [Int] = []
        var tables: Set<String> = []
        for (position, step) in steps.enumerated() {
            switch step.work {
            case .statement where step.isTemporary || step.phase == .schema: continue
            case .statement where step.phase == .objects && step.table.isEmpty: continue
            case .fill where fills.contains(position), .fillWhole where fills.contains(position): continue
            case .fillWhole where step.phase == .keptTables: continue
            case .policy(let policy):
                // Rows are appended, so the table must not get rows from other steps. A program cannot append, because
                // it may answer in any order.
                guard policy.stage == .instances, case .code = policy.policy, fillsByTable[policy.table] == nil,
                    tables.insert(policy.table).inserted, policy.pairsStatement != nil,
                    !policy.selectStatement.readsResult
                else { return result }
                result.append(position)
            default: return result
            }
        }
        return result
    }
}
