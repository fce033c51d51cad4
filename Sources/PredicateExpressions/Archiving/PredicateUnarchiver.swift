import KeyedArchives

/// Reads predicates and expressions from keyed archives; the input may be any archive.
struct PredicateUnarchiver {
    private var depth = 0

    // MARK: Predicates

    mutating func predicate(_ object: ArchivedObject) throws -> Predicate {
        try descend(into: object)
        defer { depth -= 1 }
        switch object.className {
        case "NSTruePredicate": return .constant(true)
        case "NSFalsePredicate": return .constant(false)
        case "NSComparisonPredicate": return try comparison(object)
        case "NSCompoundPredicate": return try compound(object)
        default: throw object.error(.typeUnexpected, found: object.className)
        }
    }

    private mutating func compound(_ object: ArchivedObject) throws -> Predicate {
        var operands: [Predicate] = []
        for element in try object.elements("NSSubpredicates") ?? [] {
            guard let operand = element.object else { throw object.error(.typeUnexpected, key: "NSSubpredicates") }
            operands.append(try predicate(operand))
        }
        switch try object.integer("NSCompoundPredicateType") ?? 0 {
        case 0:
            guard operands.count == 1 else { throw object.error(.valueInvalid, key: "NSSubpredicates") }
            return .not(operands[0])
        case 1: return .all(of: operands)
        case 2: return .any(of: operands)
        case let other: throw object.error(.valueInvalid, key: "NSCompoundPredicateType", found: "\(other)")
        }
    }

    private mutating func comparison(_ object: ArchivedObject) throws -> Predicate {
        let left = try expression("NSLeftExpression", of: object)
        let right = try expression("NSRightExpression", of: object)
        guard let predicateOperator = try object.object("NSPredicateOperator") else {
            throw object.error(.keyMissing, key: "NSPredicateOperator")
        }
        let type = try predicateOperator.integer("NSOperatorType") ?? 0
        let modifier = try predicateOperator.integer("NSModifier") ?? 0
        let options = try predicateOperator.integer("NSOptions") ?? predicateOperator.integer("NSFlags") ?? 0
        guard let comparisonOperator = Int(exactly: type).flatMap(ComparisonOperator.init(rawValue:)) else {
            throw predicateOperator.error(.valueInvalid, key: "NSOperatorType", found: "\(type)")
        }
        guard let known = Int(exactly: modifier).flatMap(ComparisonPredicate.Modifier.init(rawValue:)) else {
            throw predicateOperator.error(.valueInvalid, key: "NSModifier", found: "\(modifier)")
        }
        guard (0...15).contains(options) else {
            throw predicateOperator.error(.valueInvalid, key: "NSOptions", found: "\(options)")
        }
        return .comparison(
            ComparisonPredicate(
                left, comparisonOperator, right, modifier: known, options: ComparisonOptions(rawValue: Int(options))))
    }

    // MARK: Expressions

    mutating func expression(_ object: ArchivedObject) throws -> Expression {
        try descend(into: object)
        defer { depth -= 1 }
        switch object.className {
        case "NSConstantValueExpression": return .constant(try constant(object))
        case "NSSelfExpression": return .evaluatedObject
        case "NSVariableExpression": return .variable(try string("NSVariable", of: object))
        case "NSKeyPathExpression", "NSFunctionExpression": return try function(object)
        case "NSKeyPathSpecifierExpression": return .keyPath(try string("NSKeyPath", of: object))
        case "NSAggregateExpression": return .aggregate(try expressions("NSCollection", of: object))
        case "NSSetExpression":
            let type = try object.integer("NSExpressionType") ?? 0
            guard let operation = Int(exactly: type).flatMap(SetOperation.init(rawValue:)) else {
                throw object.error(.valueInvalid, key: "NSExpressionType", found: "\(type)")
            }
            return .set(
                operation, try expression("NSLeftExpression", of: object),
                try expression("NSRightExpression", of: object))
        case "NSSubqueryExpression":
            return .subquery(
                collection: try expression("NSExpression", of: object), variable: try subqueryVariable(object),
                predicate: try predicate("NSSubpredicate", of: object))
        case "NSTernaryExpression":
            return .conditional(
                try predicate("NSPredicate", of: object), then: try expression("NSTrueExpression", of: object),
                otherwise: try expression("NSFalseExpression", of: object))
        case "NSFetchRequestExpression":
            return .fetchRequest(
                request: try expression("NSFRExpression", of: object),
                context: try expression("NSMOCExpression", of: object),
                countOnly: try object.boolean("NSCountOnlyFlag") ?? false)
        case "NSAnyKeyExpression": return .anyKey
        case "NSSymbolicExpression":
            let token = try string("NSToken", of: object)
            guard let symbol = SymbolicIndex(rawValue: token) else {
                throw object.error(.valueInvalid, key: "NSToken", found: token)
            }
            return .symbol(symbol)
        case "NSVariableAssignmentExpression":
            return .assignment(
                variable: try string("NSAssignmentVariable", of: object),
                try expression("NSSubexpression", of: object))
        default: throw object.error(.typeUnexpected, found: object.className)
        }
    }

    /// Reads a key path or a function, which are archived in the same way: an operand, a selector and arguments.
    private mutating func function(_ object: ArchivedObject) throws -> Expression {
        let selector = try string("NSSelectorName", of: object)
        let operand = try expression("NSOperand", of: object)
        let arguments = try object.elements("NSArguments") ?? []
        if object.className == "NSKeyPathExpression", arguments.count == 1,
            let specifier = arguments[0].object, specifier.className == "NSKeyPathSpecifierExpression"
        {
            return .keyPath(try string("NSKeyPath", of: specifier), on: operand)
        }
        var values: [Expression] = []
        for argument in arguments {
            guard let argument = argument.object else { throw object.error(.typeUnexpected, key: "NSArguments") }
            values.append(try expression(argument))
        }
        if operand == .constant(.className(PredefinedFunction.className)) {
            guard PredefinedFunction.argumentCount(of: selector) == values.count else {
                throw object.error(.valueInvalid, key: "NSSelectorName", found: selector)
            }
            return .function(selector, values)
        }
        // Real files contain calls whose selectors lack the colons of their arguments. They fail when they are
        // evaluated, and are reported when expressions are reviewed; the rest of the archive is still readable.
        return .invocation(target: operand, selector: selector, arguments: values)
    }

    private func subqueryVariable(_ object: ArchivedObject) throws -> String {
        let value = try object.value("NSVariable")
        if let expression = value.object, expression.className == "NSVariableExpression" {
            return try string("NSVariable", of: expression)
        }
        return try string("NSVariable", of: object)
    }

    private mutating func constant(_ object: ArchivedObject) throws -> ConstantValue {
        if let name = try object.string("NSConstantValueClassName") {
            return .className(name)
        }
        let value = try object.value("NSConstantValue")
        return try constant(value, of: object)
    }

    private mutating func constant(_ value: ArchivedValue, of object: ArchivedObject) throws -> ConstantValue {
        switch value {
        case .null: return .null
        case .scalar(.boolean(let value)): return .boolean(value)
        case .scalar(.integer(let value)): return .integer(value)
        case .scalar(.real(let value)): return .real(value)
        case .scalar(.single(let value)): return .real(Double(value))
        case .scalar(.string(let value)): return .string(value)
        case .scalar(.data(let value)): return .data(value)
        case .scalar(.date(let value)): return .date(value)
        case .scalar(let other): throw object.error(.typeUnexpected, key: "NSConstantValue", found: other.kind)
        case .object(let content): return try constant(content, in: value)
        }
    }

    private mutating func constant(_ object: ArchivedObject, in value: ArchivedValue) throws -> ConstantValue {
        try descend(into: object)
        defer { depth -= 1 }
        if object.className == "NSNull" { return .null }
        if let string = try value.string() { return .string(string) }
        if let date = try value.date() { return .date(date) }
        if let decimal = try value.decimal() { return .decimal(decimal) }
        if let uuid = try value.uuid() { return .uuid(uuid) }
        if let url = try value.url() { return .url(url.relative) }
        if let data = try value.data() { return .data(data) }
        guard let elements = try object.elements() else {
            throw object.error(.typeUnexpected, found: object.className)
        }
        var values: [ConstantValue] = []
        for element in elements {
            values.append(try constant(element, of: object))
        }
        return object.isKind(of: "NSSet") ? .set(values) : .array(values)
    }

    // MARK: Values by key

    private func string(_ key: String, of object: ArchivedObject) throws -> String {
        guard let string = try object.string(key) else { throw object.error(.keyMissing, key: key) }
        return string
    }

    private mutating func expression(_ key: String, of object: ArchivedObject) throws -> Expression {
        guard let value = try object.object(key) else { throw object.error(.keyMissing, key: key) }
        return try expression(value)
    }

    private mutating func predicate(_ key: String, of object: ArchivedObject) throws -> Predicate {
        guard let value = try object.object(key) else { throw object.error(.keyMissing, key: key) }
        return try predicate(value)
    }

    private mutating func expressions(_ key: String, of object: ArchivedObject) throws -> [Expression] {
        var values: [Expression] = []
        for element in try object.elements(key) ?? [] {
            guard let element = element.object else { throw object.error(.typeUnexpected, key: key) }
            values.append(try expression(element))
        }
        return values
    }

    private mutating func descend(into object: ArchivedObject) throws {
        depth += 1
        guard depth <= KeyedArchive.maximumDepth else { throw object.error(.tooDeep) }
    }
}
