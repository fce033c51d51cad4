import CoreData

/// Values of an object as `ferry fetch --format ndjson --dates seconds2001` writes them, as far as JSON says more than
/// one thing the same way.
enum ObjectText {
    /// The attributes and to-one relationships that are stored, by name.
    static func values(of object: NSManagedObject) -> [String: String] {
        var values: [String: String] = [:]
        for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
            values[name] = text(object.value(forKey: name), attribute)
        }
        for (name, relationship) in object.entity.relationshipsByName
        where !relationship.isToMany && !relationship.isTransient {
            let other = object.value(forKey: name) as? NSManagedObject
            values[name] = other.map { $0.objectID.uriRepresentation().absoluteString } ?? "null"
        }
        return values
    }

    /// What a value of JSON is in the same form; numbers that are written as text are compared as text.
    static func text(json value: Any) -> String {
        switch value {
        case is NSNull: "null"
        case let number as NSNumber where CFGetTypeID(number) == CFBooleanGetTypeID():
            number.boolValue ? "true" : "false"
        case let number as NSNumber: number.stringValue
        default: "\(value)"
        }
    }

    private static func text(_ value: Any?, _ attribute: NSAttributeDescription) -> String {
        guard let value else { return "null" }
        switch value {
        case let date as Date: return "\(date.timeIntervalSinceReferenceDate)"
        case let data as Data: return data.base64EncodedString()
        case let uuid as UUID: return uuid.uuidString
        case let url as URL: return url.absoluteString
        case let number as NSNumber where attribute.attributeType == .booleanAttributeType:
            return number.boolValue ? "true" : "false"
        case let number as NSNumber: return number.stringValue
        default: return "\(value)"
        }
    }

    /// Whether two texts say the same: numbers are the same whatever their digits.
    static func same(_ one: String, _ other: String) -> Bool {
        if one == other { return true }
        guard let first = Double(one), let second = Double(other) else { return false }
        return first == second || (first.isNaN && second.isNaN)
    }
}
