public import KeyedArchives

/// Adds predicates and expressions to keyed archives, in the classes and keys that Foundation uses.
///
/// Known from real models and mapping models: comparison and compound predicates with the ordering, equality, IN,
/// CONTAINS and LIKE operators; constants, `SELF`, variables, key paths, functions, fetch requests. Known from other
/// implementations that exchange archives with Apple's: the remaining operators, aggregates, sets, subqueries,
/// conditionals, constant predicates, assignments, symbolic indexes and `ANYKEY`.
public struct PredicateArchiver {
    /// An object in the archive that is being built.
    public typealias Reference = KeyedArchiveBuilder.Reference

    /// The object for `SELF`, which is shared in an archive.
    private var evaluatedObject: Reference?

    /// Makes an archiver for one archive, in which all occurrences of `SELF` are one object.
    public init() {}

    /// Adds a predicate, and returns its reference.
    /// - Throws: `KeyedArchiveError` with code `notArchivable` for a constant that cannot be archived.
    public mutating func add(_ predicate: Predicate, to builder: inout KeyedArchiveBuilder) throws -> Reference {
        switch predicate {
        case .constant(let value):
            return builder.object(
                ArchivedClass([value ? "NSTruePredicate" : "NSFalsePredicate", "NSPredicate", "NSObject"]), [])
        case .comparison(let comparison):
            let content: [(String, KeyedArchiveBuilder.Content)] = [
                ("NSLeftExpression", .reference(try add(comparison.left, to: &builder))),
                ("NSRightExpression", .reference(try add(comparison.right, to: &builder))),
                ("NSPredicateOperator", .reference(Self.add(operatorOf: comparison, to: &builder))),
            ]
            return builder.object(ArchivedClass(["NSComparisonPredicate", "NSPredicate", "NSObject"]), content)
        case .not(let operand):
            return try add(compound: 0, [operand], to: &builder)
        case .and(let operands):
            return try add(compound: 1, operands, to: &builder)
        case .or(let operands):
            return try add(compound: 2, operands, to: &builder)
        }
    }

    private mutating func add(
        compound type: Int64, _ operands: [Predicate], to builder: inout KeyedArchiveBuilder
    ) throws -> Reference {
        var references: [Reference] = []
        for operand in operands {
            references.append(try add(operand, to: &builder))
        }
        return builder.object(
            ArchivedClass(["NSCompoundPredicate", "NSPredicate", "NSObject"]),
            [
                ("NSCompoundPredicateType", .inline(.integer(type))),
                ("NSSubpredicates", .reference(builder.array(references))),
            ])
    }

    private static func add(
        operatorOf comparison: ComparisonPredicate, to builder: inout KeyedArchiveBuilder
    ) -> Reference {
        let type = comparison.comparisonOperator
        let options = KeyedArchiveBuilder.Content.inline(.integer(Int64(comparison.options.rawValue)))
        var content: [(String, KeyedArchiveBuilder.Content)] = [
            ("NSOperatorType", .inline(.integer(Int64(type.rawValue)))),
            ("NSModifier", .inline(.integer(Int64(comparison.modifier.rawValue)))),
        ]
        var names: [String]
        switch type {
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            names = ["NSComparisonPredicateOperator"]
            content += [("NSVariant", .inline(.integer(Int64(type.rawValue)))), ("NSOptions", options)]
        case .equal, .notEqual:
            names = ["NSEqualityPredicateOperator"]
            content += [("NSNegate", .inline(.boolean(type == .notEqual))), ("NSOptions", options)]
        case .memberOf, .contains:
            names = ["NSInPredicateOperator"]
            content.append(("NSFlags", options))
        case .matches:
            names = ["NSMatchingPredicateOperator", "NSStringPredicateOperator"]
            content.append(("NSFlags", options))
        case .like:
            names = ["NSLikePredicateOperator", "NSMatchingPredicateOperator", "NSStringPredicateOperator"]
            content.append(("NSFlags", options))
        case .beginsWith, .endsWith:
            names = ["NSSubstringPredicateOperator", "NSStringPredicateOperator"]
            content += [("NSFlags", options), ("NSPosition", .inline(type == .beginsWith ? 0 : 1))]
        case .between:
            names = ["NSBetweenPredicateOperator"]
        }
        names += ["NSPredicateOperator", "NSObject"]
        return builder.object(ArchivedClass(names), content)
    }

    /// Adds an expression, and returns its reference.
    /// - Throws: `KeyedArchiveError` with code `notArchivable` for a constant that cannot be archived.
    public mutating func add(_ expression: Expression, to builder: inout KeyedArchiveBuilder) throws -> Reference {
        switch expression {
        case .constant(let value):
            return try add(constant: value, to: &builder)
        case .evaluatedObject:
            if let known = evaluatedObject {
                return known
            }
            let reference = Self.object("NSSelfExpression", type: 1, [], in: &builder)
            evaluatedObject = reference
            return reference
        case .variable(let name):
            return Self.object(
                "NSVariableExpression", type: 2, [("NSVariable", .reference(builder.string(name)))], in: &builder)
        case .keyPath(let operand, let path):
            return try add(keyPath: path, on: operand, to: &builder)
        case .function(let selector, let arguments):
            let target = Self.object(
                "NSConstantValueExpression", type: 0,
                [("NSConstantValueClassName", .reference(builder.string(PredefinedFunction.className)))], in: &builder)
            return try add(selector, on: target, arguments, to: &builder)
        case .invocation(let target, let selector, let arguments):
            return try add(selector, on: add(target, to: &builder), arguments, to: &builder)
        case .aggregate(let elements):
            let collection = builder.array(try add(elements, to: &builder))
            return Self.object(
                "NSAggregateExpression", type: 14, [("NSCollection", .reference(collection))], in: &builder)
        case .set(let operation, let left, let right):
            return Self.object(
                "NSSetExpression", type: Int64(operation.rawValue),
                [
                    ("NSLeftExpression", .reference(try add(left, to: &builder))),
                    ("NSRightExpression", .reference(try add(right, to: &builder))),
                ], in: &builder)
        case .subquery(let collection, let variable, let predicate):
            return Self.object(
                "NSSubqueryExpression", type: 13,
                [
                    ("NSExpression", .reference(try add(collection, to: &builder))),
                    ("NSVariable", .reference(builder.string(variable))),
                    ("NSSubpredicate", .reference(try add(predicate, to: &builder))),
                ], in: &builder)
        case .conditional(let predicate, let first, let second):
            return Self.object(
                "NSTernaryExpression", type: 20,
                [
                    ("NSPredicate", .reference(try add(predicate, to: &builder))),
                    ("NSTrueExpression", .reference(try add(first, to: &builder))),
                    ("NSFalseExpression", .reference(try add(second, to: &builder))),
                ], in: &builder)
        case .fetchRequest(let request, let context, let countOnly):
            return Self.object(
                "NSFetchRequestExpression", type: 50,
                [
                    ("NSFRExpression", .reference(try add(request, to: &builder))),
                    ("NSMOCExpression", .reference(try add(context, to: &builder))),
                    ("NSCountOnlyFlag", .inline(.boolean(countOnly))),
                ], in: &builder)
        case .assignment(let variable, let value):
            return Self.object(
                "NSVariableAssignmentExpression", type: 12,
                [
                    ("NSAssignmentVariable", .reference(builder.string(variable))),
                    ("NSSubexpression", .reference(try add(value, to: &builder))),
                ], in: &builder)
        case .symbol(let symbol):
            return Self.object(
                "NSSymbolicExpression", type: 11, [("NSToken", .reference(builder.string(symbol.rawValue)))],
                in: &builder)
        case .anyKey:
            return Self.object("NSAnyKeyExpression", type: 15, [], in: &builder)
        }
    }

    private mutating func add(
        _ expressions: [Expression], to builder: inout KeyedArchiveBuilder
    ) throws -> [Reference] {
        var references: [Reference] = []
        for expression in expressions {
            references.append(try add(expression, to: &builder))
        }
        return references
    }

    /// Adds a key path, which is a function: `valueForKey:` on `SELF`, and always `valueForKeyPath:` on other operands.
    private mutating func add(
        keyPath path: String, on operand: Expression, to builder: inout KeyedArchiveBuilder
    ) throws -> Reference {
        let isPlain = operand == .evaluatedObject
        let isKey = isPlain && !path.contains(".") && !path.hasPrefix("@")
        let target = try add(operand, to: &builder)
        let specifier = Self.object(
            "NSKeyPathSpecifierExpression", type: 10, [("NSKeyPath", .reference(builder.string(path)))], in: &builder)
        let arguments = builder.array([specifier], isMutable: true)
        return builder.object(
            ArchivedClass(["NSKeyPathExpression", "NSFunctionExpression", "NSExpression", "NSObject"]),
            [
                ("NSExpressionType", .inline(isPlain ? 3 : 4)), ("NSOperand", .reference(target)),
                ("NSSelectorName", .reference(builder.string(isKey ? "valueForKey:" : "valueForKeyPath:"))),
                ("NSArguments", .reference(arguments)),
            ])
    }

    private mutating func add(
        _ selector: String, on target: Reference, _ arguments: [Expression], to builder: inout KeyedArchiveBuilder
    ) throws -> Reference {
        let list = builder.array(try add(arguments, to: &builder))
        return Self.object(
            "NSFunctionExpression", type: 4,
            [
                ("NSOperand", .reference(target)), ("NSSelectorName", .reference(builder.string(selector))),
                ("NSArguments", .reference(list)),
            ], in: &builder)
    }

    private func add(constant value: ConstantValue, to builder: inout KeyedArchiveBuilder) throws -> Reference {
        let content: (String, KeyedArchiveBuilder.Content) =
            switch value {
            case .null: ("NSConstantValueClassName", .reference(.null))
            case .className(let name): ("NSConstantValueClassName", .reference(builder.string(name)))
            default: ("NSConstantValue", .reference(try Self.reference(to: value, in: &builder)))
            }
        return Self.object("NSConstantValueExpression", type: 0, [content], in: &builder)
    }

    private static func reference(
        to value: ConstantValue, in builder: inout KeyedArchiveBuilder
    ) throws -> Reference {
        switch value {
        case .null: return builder.object(ArchivedClass("NSNull"), [])
        case .boolean(let value): return builder.scalar(.boolean(value))
        case .integer(let value): return builder.scalar(.integer(value))
        case .real(let value): return builder.scalar(.real(value))
        case .decimal(let value): return builder.decimal(value)
        case .string(let value): return builder.string(value)
        case .date(let value): return builder.date(value)
        case .data(let value): return builder.scalar(.data(value))
        case .uuid(let value): return builder.uuid(value)
        case .url(let value): return builder.url(value)
        case .array(let values): return builder.array(try values.map { try reference(to: $0, in: &builder) })
        case .set(let values): return builder.set(try values.map { try reference(to: $0, in: &builder) })
        case .className(let name): throw KeyedArchiveError(.notArchivable, found: "class \(name)")
        }
    }

    private static func object(
        _ name: String, type: Int64, _ content: [(String, KeyedArchiveBuilder.Content)],
        in builder: inout KeyedArchiveBuilder
    ) -> Reference {
        builder.object(
            ArchivedClass([name, "NSExpression", "NSObject"]),
            [("NSExpressionType", .inline(.integer(type)))] + content)
    }
}
