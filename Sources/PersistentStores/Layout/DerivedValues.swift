import ManagedObjectModels
import PredicateExpressions
public import SQLiteAccess

/// The SQL that computes derived attributes whose trigger form is not known: sums, uppercase texts, counts of
/// many-to-many relationships.
public struct DerivedValues: Sendable {
    /// An UPDATE statement and its parameters.
    public struct Statement: Sendable {
        /// The text of the statement.
        public let sql: String
        /// The values of its parameters, in order.
        public let parameters: [SQLiteValue]
    }

    /// One statement for each attribute that can be computed, by attribute.
    public private(set) var statements: [PropertyKey: Statement] = [:]

    /// Why an attribute cannot be computed: part of a sentence, by attribute.
    public private(set) var refusals: [PropertyKey: String] = [:]

    /// The derivation's values have another type than the attribute.
    private struct Mismatch: Error, CustomStringConvertible {
        let description: String
    }

    /// Makes the statements for the derived attributes whose trigger form is not known.
    public init(layout: StoreLayout) {
        let known = DerivedAttributeTriggers(layout: layout)
        for entity in layout.model.entities {
            for attribute in entity.declaredAttributes where attribute.isDerived && attribute.isStored {
                guard known.isUnsupported(attribute) else { continue }
                do {
                    statements[attribute.key] = try Self.statement(attribute, of: entity, layout)
                } catch let refusal as SQLRefusal {
                    refusals[attribute.key] = refusal.reason
                } catch {
                    refusals[attribute.key] = "\(error)"
                }
            }
        }
    }

    private static func statement(
        _ attribute: ResolvedAttribute, of entity: ResolvedEntity, _ layout: StoreLayout
    ) throws -> Statement? {
        guard let table = layout.table(ofEntity: entity.slot)?.name,
            let column = layout.column(.attribute(attribute.key))?.name
        else { return nil }
        let expression = try Expression(format: attribute.description.derivationExpression ?? "")
        let fragment = try SQLCompiler(StoreSQLSchema(layout: layout), entity: entity.slot, alias: "derived")
            .compile(expression)
        guard let value = converted(fragment, to: attribute.type) else {
            throw Mismatch(
                description: "it is \(fragment.kind.name), and the attribute's type is \(attribute.type.name)")
        }
        // The table also has rows of other entities of the hierarchy.
        let numbers = entity.subtree.map { "\(layout.entityNumbers[$0])" }.joined(separator: ", ")
        return Statement(
            sql: "UPDATE \(SQLiteIdentifier.quoted(table)) AS derived SET \(SQLiteIdentifier.quoted(column)) = "
                + "\(value) WHERE Z_ENT IN (\(numbers))",
            parameters: fragment.parameters)
    }

    /// Returns the value as the attribute's column stores it; nil if it has another type.
    private static func converted(_ fragment: SQLFragment, to type: AttributeType) -> String? {
        let text = fragment.text
        switch (StoreSQLSchema.kind(of: type), fragment.kind) {
        case (.integer?, .integer), (.integer?, .boolean):
            guard let range = type.integerRange else { return text }
            // A missing value is better than one that has been cut off.
            return "CASE WHEN \(text) BETWEEN \(SQLiteValue.integer(range.lowerBound).literal) AND "
                + "\(SQLiteValue.integer(range.upperBound).literal) THEN \(text) END"
        case (.real?, .integer), (.real?, .decimal), (.real?, .boolean): return "CAST(\(text) AS REAL)"
        case (.decimal?, .integer): return text
        case (let kind?, let other): return kind == other ? text : nil
        case (nil, _): return nil
        }
    }
}

extension DerivedValues {
    /// Computes the values of all rows, in the order of the attributes' names.
    /// - Throws: `SQLiteError` if a statement fails.
    public func compute(on connection: Connection) throws(SQLiteError) {
        guard !statements.isEmpty else { return }
        try connection.registerExpressionFunctions()
        for (_, statement) in statements.sorted(by: { $0.value.sql < $1.value.sql }) {
            try connection.execute(statement.sql, statement.parameters)
        }
    }
}
