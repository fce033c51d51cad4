import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess

extension FetchCompiler {
    func compiler(_ rows: FetchRows? = nil) -> SQLCompiler<StoreSQLSchema> {
        let rows = rows ?? self.rows
        return SQLCompiler(
            schema, entity: rows.own.entity, alias: rows.own.alias,
            otherRows: rows.source.map { [FetchSource.variable: $0] } ?? [:], now: now,
            firstParameter: firstParameter)
    }

    /// Adds a fragment's parameters to the statement, and returns its text.
    mutating func take(_ fragment: SQLFragment) -> String {
        parameters += fragment.parameters
        return fragment.text
    }

    /// Returns a predicate as a condition: in SQL, or as a call of a function that evaluates it.
    mutating func condition(_ predicate: Predicate, on rows: FetchRows? = nil) throws -> SQLCondition {
        let rows = rows ?? self.rows
        var names = ObjectNames(
            model: model, objectIDs: objectIDs, entity: rows.own.entity, source: rows.source?.entity)
        // Checks names and types, in the same way for SQL and Swift.
        let program = try predicate.compile(resolving: &names)
        let reason: String
        if evaluation == .inSwift {
            reason = "that was asked for"
        } else {
            do {
                let fragment = try compiler(rows).compile(predicate)
                return SQLCondition(take(fragment), mayFail: fragment.mayFail)
            } catch {
                if let mistake = error.error(in: predicate) { throw mistake }
                reason = error.description
            }
        }
        // The parts that SQL supports reduce the rows that Swift evaluates. The parts keep the request's order.
        if case .and(let parts) = predicate, evaluation == .automatic {
            return .all(of: try parts.map { try condition($0, on: rows) })
        }
        let call = call(.predicate(program), names, on: rows, subject: "predicate \(predicate.format)", reason)
        return SQLCondition(call, mayFail: true)
    }

    mutating func call(
        _ program: RowFunction.Program, _ names: ObjectNames, on rows: FetchRows? = nil, subject: String,
        _ reason: String
    ) -> String {
        let rows = rows ?? self.rows
        let name = "ferry_row_\(functions.count + 1)"
        functions.append(
            RowFunction(
                name: name, program: program, names: names.names, entity: rows.own.entity,
                source: rows.source?.entity, now: now))
        swiftParts.append(FetchPlan.SwiftPart(subject: subject, reason: reason))
        let keys = ([rows.own] + (rows.source.map { [$0] } ?? [])).map { $0.alias + ".Z_PK" }
        return "\(name)(\(keys.joined(separator: ", ")))"
    }

    /// Compiles an expression, and checks its names and types.
    func checked(_ expression: Expression) throws -> (program: ExpressionProgram, names: ObjectNames) {
        var names = ObjectNames(model: model, objectIDs: objectIDs, entity: entity.slot, source: rows.source?.entity)
        return (try expression.compile(resolving: &names), names)
    }

    // MARK: Object URIs

    /// Returns the URI of the object whose primary key is an SQL expression.
    func uri(of key: String, entity slot: Int, number: String? = nil) -> String {
        let prefix = "x-coredata://\(storeUUID)/"
        let destination = model.entities[slot]
        guard destination.hasSubentities else {
            return "\(SQLiteLiteral.string(prefix + destination.name + "/p")) || \(key)"
        }
        let cases = destination.subtree.map {
            "WHEN \(layout.entityNumbers[$0]) THEN \(SQLiteLiteral.string(prefix + model.entities[$0].name + "/p"))"
        }
        let table = SQLiteIdentifier.quoted(layout.table(ofEntity: slot)?.name ?? "")
        let number = number ?? "(SELECT o.Z_ENT FROM \(table) AS o WHERE o.Z_PK = \(key))"
        return "CASE \(number) \(cases.joined(separator: " "))"
            + " ELSE \(SQLiteLiteral.string(prefix + destination.name + "/p")) END || \(key)"
    }
}
