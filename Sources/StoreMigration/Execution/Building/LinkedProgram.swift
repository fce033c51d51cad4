import ManagedObjectModels
import PersistentStores

/// A program with policies whose links are built: the parts that are executed one after the other.
///
/// Policies look up objects and change them, so their objects are first written to a separate file, without links and
/// indexes. The new file is then built with these objects and all links.
struct LinkedProgram {
    /// The steps that write the objects to the separate file.
    let rows: MigrationProgram
    /// The statements that create the tables and indexes of the new file.
    let schema: [String]
    /// The steps that fill tables of the new file whose rows depend on the source, or on the objects.
    let fills: [MigrationStep]
    /// The steps that determine links, in order.
    let links: [MigrationStep]
    /// The steps that SQLite executes in the new file, in order.
    let left: [MigrationStep]
    /// The names of the tables whose rows are built.
    let tables: Set<String>

    /// Returns nil if the program has no policies.
    init?(_ program: MigrationProgram) {
        let policies = program.steps.lazy.compactMap { step in
            if case .policyLinks(let program) = step.work { program } else { nil }
        }
        let last = program.steps.lastIndex { step in
            if case .policy(let policy) = step.work { policy.stage != .validation } else { false }
        }
        guard program.arena == .newFile, let layout = policies.first?.destination, let last else { return nil }
        let entityTables = Set(layout.tables.map(\.name))
        let joinTables = Set(layout.joinTables.map(\.name))
        // The builder may not be able to write tables that do not belong to the model.
        let foreign = Set(
            program.steps.filter { step in
                switch step.work {
                case .fill, .fillWhole: step.phase == .keptTables && step.additions == nil
                default: false
                }
            }.map(\.table))
        /// The tables whose rows SQLite changes in the new file; it creates their indexes afterwards.
        var changed = foreign
        for step in program.steps[last...] {
            switch step.phase {
            case .schema, .objects, .relationships, .keptTables, .indexes: break
            case .derivedAttributes, .bookkeeping, .foreignObjects: changed.insert(step.table)
            }
        }
        var (rows, schema, fills) = ([] as [MigrationStep], [] as [String], [] as [MigrationStep])
        var (links, left) = ([] as [MigrationStep], [] as [MigrationStep])
        for (position, step) in program.steps.enumerated() {
            switch step.work {
            case .statement where step.isTemporary: rows.append(step)
            case .statement(let sql) where step.phase == .schema:
                if foreign.contains(step.table) { left.append(step) } else { schema.append(sql) }
                if entityTables.contains(step.table), sql.hasPrefix("CREATE TABLE") { rows.append(step) }
            case .statement(let sql) where step.phase == .indexes:
                if changed.contains(step.table) { left.append(step) } else { schema.append(sql) }
            case .links, .places, .policyLinks: links.append(step)
            case .fill, .fillWhole:
                if joinTables.contains(step.table) {
                    guard step.additions != nil else { return nil }
                    links.append(step)
                } else if entityTables.contains(step.table) {
                    rows.append(step)
                } else if foreign.contains(step.table) {
                    left.append(step)
                } else {
                    fills.append(step)
                }
            default: if position <= last { rows.append(step) } else { left.append(step) }
            }
        }
        self.rows = program.with(steps: rows)
        (self.schema, self.fills, self.links, self.left) = (schema, fills, links, left)
        tables = entityTables.union(joinTables).union(fills.map(\.table))
    }
}
