import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Checks that rows have among each other: equal values, equal places, numbers of destinations.
struct GroupChecks {
    let content: ContentChecks

    private var layout: StoreLayout { content.layout }
    private var model: ResolvedModel { content.model }
    private var verifier: StoreVerifier { content.verifier }

    init(_ content: ContentChecks) {
        self.content = content
    }

    func findings(of table: EntityTable) throws(SQLiteError) -> [VerificationFinding] {
        var result: [VerificationFinding] = []
        for slot in model.entities[table.root].subtree {
            let entity = model.entities[slot]
            if verifier.isAsked(.uniquenessViolated) {
                for properties in entity.description.uniquenessConstraints where !properties.isEmpty {
                    result += try duplicates(of: properties, in: entity, table)
                }
            }
            for relationship in entity.declaredRelationships where relationship.isStored {
                if verifier.isAsked(.orderKeys) { result += try places(of: relationship, table) }
                if relationship.isToMany { result += try counts(of: relationship, table) }
            }
        }
        return result
    }

    /// A unique index keeps them apart, which SQLite's own check has looked at.
    private func duplicates(
        of properties: [String], in entity: ResolvedEntity, _ table: EntityTable
    ) throws(SQLiteError) -> [VerificationFinding] {
        let columns = properties.compactMap { layout.storedColumn(ofProperty: $0, in: entity)?.name }
        guard columns.count == properties.count,
            !StoredIndex.all(of: table.name, content.connection).contains(where: { $0.serves(columns, unique: true) })
        else { return [] }
        let names = columns.map { SQLiteIdentifier.quoted($0) }
        let rows = ["Z_ENT IN (\(content.numbers(ofSubtree: entity.slot)))"] + names.map { "\($0) IS NOT NULL" }
        return try groups(
            .uniquenessViolated, subject: entity.name, detail: properties.joined(separator: ", "), table,
            "FROM \(SQLiteIdentifier.quoted(table.name)) WHERE \(rows.joined(separator: " AND ")) "
                + "GROUP BY \(names.joined(separator: ", ")) HAVING count(*) > 1")
    }

    /// Places that are given twice; the keys lie in the table of the elements.
    private func places(
        of relationship: ResolvedRelationship, _ table: EntityTable
    ) throws(SQLiteError) -> [VerificationFinding] {
        guard relationship.isOrdered, let place = LinkPlace(relationship, layout: layout), place.kind == .foreignKey,
            let order = place.order, let elements = layout.table(ofEntity: relationship.destination),
            content.isPlain(elements)
        else { return [] }
        return try groups(
            .orderKeys, subject: "\(model.entities[relationship.owner].name).\(relationship.name)",
            detail: "given twice", elements,
            "FROM \(place.table) WHERE \(place.owner) IS NOT NULL AND \(order) IS NOT NULL "
                + "GROUP BY \(place.owner), \(order) HAVING count(*) > 1")
    }

    private func groups(
        _ rule: VerificationRule, subject: String, detail: String, _ table: EntityTable, _ from: String
    ) throws(SQLiteError) -> [VerificationFinding] {
        // In most stores there is none: to see that, less has to be sorted.
        guard try !content.connection.value("SELECT 1 FROM (SELECT 1 \(from)) LIMIT 1").isNull else { return [] }
        var tally = Tally(limit: content.limit)
        let statement = try content.connection.prepare("SELECT min(Z_PK), Z_ENT, count(*) \(from)")
        while try statement.step() {
            tally.add(statement.integer(2)) {
                content.uri(statement.integer(0), entity: statement.integer(1), in: table)
            }
        }
        return [tally.finding(rule, subject: subject, detail: detail)].compactMap { $0 }
    }

    /// To-many relationships with a rule for how many destinations they have.
    private func counts(
        of relationship: ResolvedRelationship, _ table: EntityTable
    ) throws(SQLiteError) -> [VerificationFinding] {
        guard let rule = CountRule(relationship), let place = LinkPlace(relationship, layout: layout) else { return [] }
        let minimum = rule.minimum
        let subject = "\(model.entities[relationship.owner].name).\(relationship.name)"
        var tallies: [VerificationRule: Tally] = [:]
        let few = rule.isOptional ? "n BETWEEN 1 AND \(minimum - 1)" : "n < \(minimum)"
        let many = rule.maximum > 0 ? " OR n > \(rule.maximum)" : ""
        let statement = try content.connection.prepare(
            "SELECT k, e, n FROM (SELECT o.Z_PK AS k, o.Z_ENT AS e, ifnull(l.n, 0) AS n "
                + "FROM \(SQLiteIdentifier.quoted(table.name)) o LEFT JOIN (SELECT \(place.owner) AS k, count(*) AS n "
                + "FROM \(place.table) WHERE \(place.owner) IS NOT NULL GROUP BY 1) l ON l.k = o.Z_PK "
                + "WHERE o.Z_ENT IN (\(content.numbers(ofSubtree: relationship.owner)))) WHERE \(few)\(many)")
        while try statement.step() {
            let number = statement.integer(2)
            let broken: VerificationRule = number < minimum ? .tooFewRelated : .tooManyRelated
            tallies[broken, default: Tally(limit: content.limit)].add {
                content.uri(statement.integer(0), entity: statement.integer(1), in: table)
            }
        }
        let details: [VerificationRule: String] = [
            .tooFewRelated: "at least \(minimum)", .tooManyRelated: "at most \(rule.maximum)",
        ]
        return tallies.sorted { $0.key.code < $1.key.code }.compactMap { broken, tally in
            tally.finding(broken, subject: subject, detail: details[broken])
        }
    }
}
