import KeyedArchives
package import ManagedObjectModels
package import PredicateExpressions
import TextEncodings

/// Checks the texts that attributes of other types are compared with: numbers are converted, and a text that cannot be
/// a value of the attribute is an error, which would otherwise look like a condition that no object satisfies.
struct TextConstants {
    let model: ResolvedModel
    /// The entity of the evaluated object.
    let entity: Int
    /// The entities of variables that stand for objects; no entry for other variables.
    private var variables: [String: Int]

    /// - Parameter source: the entity of `$FETCH_SOURCE`; nil if there is no such object.
    init(model: ResolvedModel, entity: Int, source: Int? = nil) {
        self.model = model
        self.entity = entity
        variables = source.map { [FetchSource.variable: $0] } ?? [:]
    }

    /// Returns the predicate with numbers instead of their texts.
    func understood(_ predicate: Predicate) throws(FetchError) -> Predicate {
        switch predicate {
        case .constant: return predicate
        case .not(let part): return .not(try understood(part))
        case .and(let parts): return .and(try understood(parts))
        case .or(let parts): return .or(try understood(parts))
        case .comparison(var comparison):
            comparison.left = try understood(comparison.left)
            comparison.right = try understood(comparison.right)
            switch comparison.comparisonOperator {
            case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .memberOf,
                .between:
                if let place = attribute(comparison.left) {
                    comparison.right = try understood(comparison.right, place)
                } else if let place = attribute(comparison.right) {
                    comparison.left = try understood(comparison.left, place)
                }
                return .comparison(comparison)
            // These are only for strings, and report other types themselves.
            case .matches, .like, .beginsWith, .endsWith, .contains: return .comparison(comparison)
            }
        }
    }

    /// Returns the expression with its predicates checked.
    private func understood(_ expression: Expression) throws(FetchError) -> Expression {
        try expression.replacing { (part, _) throws(FetchError) in
            switch part {
            case .subquery(let collection, let variable, let predicate):
                var inner = self
                inner.variables[variable] = destination(collection)
                return .subquery(
                    collection: try understood(collection), variable: variable,
                    predicate: try inner.understood(predicate))
            case .conditional(let predicate, let first, let second):
                return .conditional(
                    try understood(predicate), then: try understood(first), otherwise: try understood(second))
            default: return nil
            }
        }
    }

    private func understood(_ parts: [Predicate]) throws(FetchError) -> [Predicate] {
        var result: [Predicate] = []
        for part in parts { result.append(try understood(part)) }
        return result
    }

    private struct Place {
        let path: String
        let type: AttributeType
    }

    /// Returns the entity of the objects that an expression evaluates to.
    private func destination(_ expression: Expression) -> Int? {
        switch expression {
        case .evaluatedObject: return entity
        case .variable(let name): return variables[name]
        case .subquery(let collection, _, _): return destination(collection)
        case .keyPath(let operand, let path):
            var current = destination(operand)
            for key in path.split(separator: ".") {
                current = current.flatMap { model.entities[$0].relationship(named: String(key))?.destination }
            }
            return current
        default: return nil
        }
    }

    /// Returns the attribute at the end of a key path from an object.
    private func attribute(_ expression: Expression) -> Place? {
        guard case .keyPath(let operand, let path) = expression, let start = destination(operand) else { return nil }
        var current = model.entities[start]
        let keys = path.split(separator: ".").map(String.init)
        for (index, key) in keys.enumerated() {
            // The names of composite attributes' elements are their paths.
            if let attribute = current.attribute(named: keys[index...].joined(separator: ".")) {
                return Place(path: path, type: attribute.type)
            }
            if key == "@count" { return Place(path: path, type: .integer64) }
            guard let relationship = current.relationship(named: key) else { return nil }
            current = model.entities[relationship.destination]
        }
        return nil
    }

    private func understood(_ expression: Expression, _ place: Place) throws(FetchError) -> Expression {
        switch expression {
        case .constant(let value): return .constant(try understood(value, place))
        case .aggregate(let elements):
            var result: [Expression] = []
            for element in elements { result.append(try understood(element, place)) }
            return .aggregate(result)
        default: return expression
        }
    }

    private func understood(_ value: ConstantValue, _ place: Place) throws(FetchError) -> ConstantValue {
        switch value {
        case .array(let elements): return .array(try understood(elements, place))
        case .set(let elements): return .set(try understood(elements, place))
        case .string(let text): return try understood(text, place)
        default: return value
        }
    }

    private func understood(_ values: [ConstantValue], _ place: Place) throws(FetchError) -> [ConstantValue] {
        var result: [ConstantValue] = []
        for value in values { result.append(try understood(value, place)) }
        return result
    }

    private func understood(_ text: String, _ place: Place) throws(FetchError) -> ConstantValue {
        switch place.type {
        case .integer16, .integer32, .integer64, .double, .float, .decimal, .boolean:
            if let number = Int64(text) { return .integer(number) }
            if place.type == .double || place.type == .float, let number = Double(text), number.isFinite {
                return .real(number)
            }
            if let number = DecimalNumber(text) { return .decimal(number) }
        case .uuid:
            if UUIDText.bytes(text) != nil { return .string(text) }
        case .date, .binaryData: break
        default: return .string(text)
        }
        throw FetchError(.textUnfit(text, keyPath: place.path, type: place.type.name))
    }
}

extension Predicate {
    /// Returns the predicate for the stores, with texts replaced by numbers where they are compared with numeric
    /// attributes.
    ///
    /// - Throws: `FetchError` for a text that cannot be a value of the attribute that it is compared with.
    package func understandingTexts(of entity: Int, in model: ResolvedModel) throws(FetchError) -> Predicate {
        try TextConstants(model: model, entity: entity).understood(self)
    }
}
