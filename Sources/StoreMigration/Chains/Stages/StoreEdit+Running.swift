import ManagedObjectModels
import MappingModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

extension StoreEdit {
    /// What an edit did.
    struct Outcome {
        /// The objects that it changed or removed; nil if code did it.
        var objects: Int64?
        var findings: [MigrationFinding] = []
    }

    /// Runs the edit inside a transaction of the caller.
    func run(_ store: SQLiteStore, _ version: VersionedModel, now: Double) throws -> Outcome {
        switch work {
        case .code(let body):
            try body(store)
            return Outcome()
        case .update(let entity, let filter, let values):
            let layout = store.layout(for: version.model)
            let statement = try updateStatement(entity, filter, values, layout, now: now)
            try store.connection.registerExpressionFunctions()
            try statement.functions.forEach { try $0.register(on: store.connection) }
            try store.connection.execute(statement.sql)
            return Outcome(objects: store.connection.changes)
        case .delete(let entity, let filter, let links):
            let layout = store.layout(for: version.model)
            let slot = try slot(entity, layout)
            let expressions = MappedExpressions(source: layout, naming: .renamed([:]), now: now)
            let condition = try self.condition(slot, filter, expressions)
            try store.connection.registerExpressionFunctions()
            try expressions.functions.all.forEach { try $0.register(on: store.connection) }
            return try delete(slot, where: condition, unlinking: links, in: store, layout)
        }
    }

    /// Deletes objects with what cascades take along. What the objects that stay lack then is validated with all edits.
    private func delete(
        _ slot: Int, where condition: String, unlinking links: LinkRemoval, in store: SQLiteStore, _ layout: StoreLayout
    ) throws -> Outcome {
        let deletion = try ObjectDeletion(store.connection, layout: layout)
        defer { try? deletion.close() }
        try deletion.add(slot, where: condition)
        try deletion.cascade()
        if let denial = try deletion.denial() {
            throw refused(
                "\(denial.entity).\(denial.relationship) denies it (error 1600): \(denial.objects) objects that would go "
                    + "have such links; delete what they lead to first")
        }
        var outcome = Outcome(objects: try deletion.delete(unlinking: links))
        outcome.findings = try deletion.danglingLinks(unlinking: links).map { left in
            MigrationFinding(
                .warning, "links-left", cocoaCode: 133000, subject: "\(left.entity).\(left.relationship)",
                message:
                    "\(text): links lead to the deleted objects, because no delete rule reaches them (No Action, or "
                    + "no inverse); with \"unlink: true\" they are removed", count: left.objects)
        }
        return outcome
    }

    /// Throws `StoreEditError` where the edit does not fit a version; nothing is read.
    public func check(against version: VersionedModel) throws(StoreEditError) {
        let layout = LayoutPrediction.layout(of: version.model)
        switch work {
        case .code: break
        case .update(let entity, let filter, let values):
            _ = try updateStatement(entity, filter, values, layout, now: 0)
        case .delete(let entity, let filter, _):
            let expressions = MappedExpressions(source: layout, naming: .renamed([:]), now: 0)
            _ = try condition(slot(entity, layout), filter, expressions)
        }
    }

    private func updateStatement(
        _ entity: String, _ filter: String?, _ values: [(attribute: String, expression: String)], _ layout: StoreLayout,
        now: Double
    ) throws(StoreEditError) -> (sql: String, functions: [ValueFunction]) {
        let slot = try slot(entity, layout)
        guard let table = layout.table(ofEntity: slot) else { throw refused("the entity has no table") }
        let expressions = MappedExpressions(source: layout, naming: .renamed([:]), now: now)
        let mapping = Self.mapping(entity, slot)
        var sets = [ObjectVersion.raised("s")]
        for (name, expression) in values {
            guard let attribute = layout.model.entities[slot].attribute(named: name), attribute.isStored,
                let column = layout.column(.attribute(attribute.key))
            else { throw refused("\(entity) has no stored attribute \(name)") }
            do throws(CustomMappingError) {
                let value = try expressions.value(expression, of: attribute, in: mapping)
                sets.append("\(SQLiteIdentifier.quoted(column.name)) = \(value.sql)")
            } catch {
                throw refused("\(name): \(error.sentence)")
            }
        }
        let condition = try self.condition(slot, filter, expressions)
        let sql =
            "UPDATE main.\(SQLiteIdentifier.quoted(table.name)) AS s SET \(sets.joined(separator: ", ")) "
            + "WHERE \(condition)"
        return (sql, expressions.functions.all)
    }

    private static func mapping(_ entity: String, _ slot: Int) -> ObjectMapping {
        ObjectMapping(
            mapping: EntityMapping(name: entity, type: .transform), source: slot, destination: slot, keys: .offset(0))
    }

    /// The condition on the rows `s` of the entity's table; subentities take part, as in a fetch.
    private func condition(
        _ slot: Int, _ filter: String?, _ expressions: MappedExpressions
    ) throws(StoreEditError) -> String {
        let layout = expressions.source
        let entity = layout.model.entities[slot]
        let numbers = entity.subtree.map { String(layout.entityNumbers[$0]) }
        let own = "s.Z_ENT IN (\(numbers.joined(separator: ", ")))"
        guard let filter else { return own }
        do {
            return try expressions.condition(filter, among: own, of: Self.mapping(entity.name, slot), alias: "s")
        } catch {
            throw refused("the predicate cannot be run: \(error.sentence)")
        }
    }

    private func slot(_ entity: String, _ layout: StoreLayout) throws(StoreEditError) -> Int {
        guard let slot = layout.model.slot(named: entity) else { throw refused("the version has no entity \(entity)") }
        return slot
    }

    private func refused(_ reason: String) -> StoreEditError { StoreEditError(edit: text, reason: reason) }
}
