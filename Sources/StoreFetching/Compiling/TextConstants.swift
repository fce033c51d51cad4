import KeyedArchives
package import ManagedObjectModels
package import PredicateExpressions
import TextEncodings

/// The texts that attributes of other types are compared with: numbers are understood, and what can be no value of the
/// attribute is a mistake, which would otherwise look like a condition that nothing fulfils.
struct TextConstants {
    let model: ResolvedModel
    /// The entity of the evaluated object.
    let entity: Int

    /// The predicate with numbers in the place of their texts.
    func understood(_ predicate: Predicate) throws(FetchError) -> Predicate {
        switch predicate {
        case .constant: return predicate
        case .not(let part): return .not(try understood(part))
        case .and(let parts): return .and(try understood(parts))
        case .or(let parts): return .or(try understood(parts))
        case .comparison(var comparison):
            switch comparison.comparisonOperator {
            case .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .memberOf,
                .between:
                if let place = attribute(comparison.left) {
                    comparison.right = try understood(comparison.right, place)
                } else if let place = attribute(comparison.right) {
                    comparison.left = try understood(comparison.left, place)
                }
                return .comparison(comparison)
            // These are for strings, and say so themselves.
            case .matches, .like, .beginsWith, .endsWith, .contains: return predicate
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

    /// The attribute that a key path on the evaluated object ends at.
    private func attribute(_ expression: Expression) -> Place? {
        guard case .keyPath(.evaluatedObject, let path) = expression else { return nil }
        var current = model.entities[entity]
        let keys = path.split(separator: ".").map(String.init)
        for (index, key) in keys.enumerated() {
            if let attribute = current.attribute(named: key) {
                return index == keys.count - 1 ? Place(path: path, type: attribute.type) : nil
            }
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
    /// The predicate as stores are asked it: texts of numbers are numbers where an attribute is one.
    ///
    /// - Throws: `FetchError` for a text that can be no value of the attribute that it is compared with.
    package func understandingTexts(of entity: Int, in model: ResolvedModel) throws(FetchError) -> Predicate {
        try TextConstants(model: model, entity: entity).understood(self)
    }
}
