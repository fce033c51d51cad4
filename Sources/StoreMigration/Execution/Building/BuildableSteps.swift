import PersistentStores

/// Which steps of a program the builder can do before SQLite opens the new file, and why not the others.
///
/// Keys that several sources share are looked for first. The builder makes the tables, fills those whose rows depend on
/// the source alone, lets policies in Swift that come behind these append their objects, and makes indexes; the other
/// steps follow in their order.
struct BuildableSteps {
    /// Positions of steps that make tables and indexes, run in order to learn the schema.
    let schema: [Int]
    /// Positions of steps that make tables of `KeyTables`.
    let keys: [Int]
    /// Positions of steps that fill tables.
    let fills: [Int]
    /// Positions of policies that make the objects of tables, in order. If one of them asks for the file, those behind it
    /// are left to SQLite, too.
    let policies: [Int]
    /// Why a new file is not built; empty if it is.
    let declined: [String]

    var all: Set<Int> { Set(schema + keys + fills) }

    init(_ program: MigrationProgram) {
        guard program.arena == .newFile else {
            (schema, keys, fills, policies) = ([], [], [], [])
            declined = ["the rows stay in the same file"]
            return
        }
        let steps = program.steps
        // A policy may look for what mappings before its own have made, and for nothing else.
        let policy = steps.firstIndex { if case .policy = $0.work { true } else { false } } ?? steps.endIndex
        var fillsByTable: [String: [Int]] = [:]
        for (position, step) in steps.enumerated() {
            switch step.work {
            case .fill, .fillWhole: fillsByTable[step.table, default: []].append(position)
            default: break
            }
        }
        // What reads other tables of the new file comes when SQLite has it open.
        let isBuilt = steps.indices.map { position in
            position < policy
                && steps[position].additions.map { !$0.selectStatement.lowercased().contains("main.") } ?? false
        }
        let fills = fillsByTable.values.filter { $0.allSatisfy { isBuilt[$0] } }.joined().sorted()
        let policies = Self.policies(of: steps, behind: Set(fills), fillsByTable)
        guard let last = (fills + policies).last else {
            (schema, keys, self.fills, self.policies) = ([], [], [], [])
            declined = ["the rows of every table depend on other rows of the new store"]
            return
        }
        let built = Set(fills.map { steps[$0].table })
        /// Tables whose rows are changed once more: their indexes are made behind that.
        var changed = Set<String>()
        for (position, step) in steps.enumerated() where position > last {
            if step.phase != .schema, step.phase != .indexes { changed.insert(step.table) }
        }
        for position in fills {
            for step in steps[position...].dropFirst() where step.table == steps[position].table {
                if step.phase == .relationships || step.phase == .derivedAttributes { changed.insert(step.table) }
            }
        }
        self.fills = fills
        self.policies = policies
        keys = steps.indices.filter { steps[$0].isTemporary }
        schema = steps.indices.filter { position in
            guard case .statement = steps[position].work else { return false }
            let step = steps[position]
            return step.phase == .schema && position < last && !step.isTemporary
                || policy == steps.endIndex && step.phase == .indexes
                    && built.contains(step.table) && !changed.contains(step.table)
        }
        declined = []
    }

    /// The policies before which there is nothing that SQLite has to do, but to make their own tables of pairs.
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
            case .policy(let policy):
                // Rows are appended, so no others may be in the table. Programs answer in any order.
                guard policy.stage == .instances, case .code = policy.policy, fillsByTable[policy.fill.table] == nil,
                    tables.insert(policy.fill.table).inserted, policy.pairsStatement != nil,
                    !policy.selectStatement.lowercased().contains("main.")
                else { return result }
                result.append(position)
            default: return result
            }
        }
        return result
    }
}
