import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Checks the rows of a many-to-many relationship's table: both ends, both directions, order keys.
struct JoinChecks {
    let content: ContentChecks

    private var layout: StoreLayout { content.layout }

    init(_ content: ContentChecks) {
        self.content = content
    }

    func findings(of join: JoinTable) throws(SQLiteError) -> [VerificationFinding] {
        let owner = layout.model.entities[join.relationship.owner]
        guard let relationship = owner.relationship(named: join.relationship.name),
            let owners = layout.table(ofEntity: relationship.owner), content.isPlain(owners),
            let destinations = layout.table(ofEntity: relationship.destination), content.isPlain(destinations),
            content.verifier.store.schema.table(named: join.name).map({ !$0.isVirtual }) ?? false
        else { return [] }
        try content.count(join.name)
        let subject = "\(owner.name).\(relationship.name)"
        var result: [VerificationFinding] = []
        if content.verifier.isAsked(.danglingJoinRow) {
            result += try ends(join, subject, relationship, owners, destinations)
        }
        if join.isSelfInverse, content.verifier.isAsked(.oneSidedInverse) {
            result += try directions(join, subject, owners)
        }
        if content.verifier.isAsked(.orderKeys) {
            result += try places(join, join.side(of: join.relationship), subject, owners)
            if let side = join.oppositeSide(of: join.relationship) {
                let inverse = "\(layout.model.entities[join.inverse.owner].name).\(join.inverse.name)"
                result += try places(join, side, inverse, destinations)
            }
        }
        return result
    }

    private func name(_ join: JoinTable) -> String { SQLiteIdentifier.quoted(join.name) }

    private func ends(
        _ join: JoinTable, _ subject: String, _ relationship: ResolvedRelationship, _ owners: EntityTable,
        _ destinations: EntityTable
    ) throws(SQLiteError) -> [VerificationFinding] {
        let first = SQLiteIdentifier.quoted(join.ownerColumn)
        let second = SQLiteIdentifier.quoted(join.destinationColumn)
        var conditions = ["a.Z_PK IS NULL", "b.Z_PK IS NULL"]
        if owners.root != relationship.owner {
            conditions.append("a.Z_ENT NOT IN (\(content.numbers(ofSubtree: relationship.owner)))")
        }
        if destinations.root != relationship.destination {
            conditions.append("b.Z_ENT NOT IN (\(content.numbers(ofSubtree: relationship.destination)))")
        }
        let statement = try content.connection.prepare(
            "SELECT j.\(first), j.\(second), a.Z_ENT, b.Z_ENT FROM \(name(join)) j "
                + "LEFT JOIN \(SQLiteIdentifier.quoted(owners.name)) a ON a.Z_PK = j.\(first) "
                + "LEFT JOIN \(SQLiteIdentifier.quoted(destinations.name)) b ON b.Z_PK = j.\(second) "
                + "WHERE \(conditions.joined(separator: " OR "))")
        var tally = Tally(limit: content.limit)
        while try statement.step() {
            tally.add {
                func end(_ column: Int32, _ entity: Int32, _ table: EntityTable) -> String {
                    if statement.isNull(entity) { return "nothing (\(statement.value(column).literal))" }
                    return content.uri(statement.integer(column), entity: statement.integer(entity), in: table)
                }
                return end(0, 2, owners) + " -> " + end(1, 3, destinations)
            }
        }
        return [tally.finding(.danglingJoinRow, subject: subject)].compactMap { $0 }
    }

    /// Checks that a relationship which is its own inverse has each link in both directions.
    private func directions(
        _ join: JoinTable, _ subject: String, _ owners: EntityTable
    ) throws(SQLiteError) -> [VerificationFinding] {
        let first = SQLiteIdentifier.quoted(join.ownerColumn)
        let second = SQLiteIdentifier.quoted(join.destinationColumn)
        let statement = try content.connection.prepare(
            "SELECT j.\(first), a.Z_ENT FROM \(name(join)) j "
                + "JOIN \(SQLiteIdentifier.quoted(owners.name)) a ON a.Z_PK = j.\(first) WHERE NOT EXISTS "
                + "(SELECT 1 FROM \(name(join)) k WHERE k.\(first) = j.\(second) AND k.\(second) = j.\(first))")
        var tally = Tally(limit: content.limit)
        while try statement.step() {
            tally.add { content.uri(statement.integer(0), entity: statement.integer(1), in: owners) }
        }
        return [tally.finding(.oneSidedInverse, subject: subject)].compactMap { $0 }
    }

    private func places(
        _ join: JoinTable, _ side: JoinTable.Side, _ subject: String, _ owners: EntityTable
    ) throws(SQLiteError) -> [VerificationFinding] {
        guard let order = side.order.map({ SQLiteIdentifier.quoted($0) }) else { return [] }
        let owner = SQLiteIdentifier.quoted(side.owner)
        var result: [VerificationFinding] = []
        let table = SQLiteIdentifier.quoted(owners.name)
        for (detail, group) in [
            ("missing", "SELECT \(owner) AS k, count(*) AS n FROM \(name(join)) WHERE \(order) IS NULL GROUP BY 1"),
            (
                "given twice",
                "SELECT \(owner) AS k, count(*) AS n FROM \(name(join)) WHERE \(order) IS NOT NULL "
                    + "GROUP BY \(owner), \(order) HAVING count(*) > 1"
            ),
        ] {
            var tally = Tally(limit: content.limit)
            let statement = try content.connection.prepare(
                "SELECT g.k, a.Z_ENT, g.n FROM (\(group)) g JOIN \(table) a ON a.Z_PK = g.k")
            while try statement.step() {
                tally.add(statement.integer(2)) {
                    content.uri(statement.integer(0), entity: statement.integer(1), in: owners)
                }
            }
            if let finding = tally.finding(.orderKeys, subject: subject, detail: detail) { result.append(finding) }
        }
        return result
    }
}
