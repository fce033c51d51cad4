import KeyedArchives

extension AttributeValue {
    /// Makes a value of an attribute's type from an archived default or bound; nil if it does not fit.
    init?(archived value: ArchivedValue, type: AttributeType) throws {
        switch type {
        case .integer16, .integer32, .integer64:
            guard
                let number = value.scalar?.integer ?? value.scalar?.boolean.map({ $0 ? 1 : 0 })
                    ?? value.scalar?.real.flatMap({ Int64(exactly: $0) })
            else { return nil }
            self = .integer(number)
        case .boolean:
            guard
                let flag = value.scalar?.boolean ?? value.scalar?.integer.map({ $0 != 0 })
                    ?? value.scalar?.real.map({ $0 != 0 })
            else { return nil }
            self = .boolean(flag)
        case .double, .float:
            guard let number = value.scalar?.real ?? value.scalar?.boolean.map({ $0 ? 1 : 0 }) else { return nil }
            self = .real(number)
        case .decimal:
            if let decimal = try value.decimal() {
                self = .decimal(decimal.description)
            } else if let number = value.scalar?.integer {
                self = .decimal("\(number)")
            } else if let number = value.scalar?.real, let decimal = DecimalNumber("\(number)") {
                self = .decimal(decimal.description)
            } else {
                return nil
            }
        case .string:
            guard let text = try value.string() else { return nil }
            self = .string(text)
        case .date:
            guard let seconds = try value.date() ?? value.scalar?.real else { return nil }
            self = .date(seconds)
        case .binaryData:
            guard let bytes = try value.data() else { return nil }
            self = .binary(bytes)
        case .uuid:
            guard let bytes = try value.uuid() else { return nil }
            self = .uuid(bytes)
        case .uri:
            guard let text = try value.url()?.relative ?? value.string() else { return nil }
            self = .uri(text)
        case .transformable:
            guard let object = value.object, object.isKind(of: "NSArray"), let elements = try object.elements() else {
                return nil
            }
            var values: [AttributeValue] = []
            for element in elements {
                let value =
                    try AttributeValue(archived: element, type: .string)
                    ?? AttributeValue(archived: element, type: .binaryData)
                guard let value else { return nil }
                values.append(value)
            }
            self = .array(values)
        case .undefined, .objectID, .composite:
            return nil
        }
    }
}
