internal import ManagedObjectModels
internal import MappingModels
internal import PredicateExpressions

extension ModelRule {
    static let types = ModelRule(.undefinedType) { subject in
        subject.attributes.compactMap { entity, attribute in
            guard attribute.type == .undefined, !attribute.isTransient, !attribute.isDerived else { return nil }
            return subject.finding(
                .undefinedType, attribute.name, of: entity, "the attribute is stored and has no type")
        }
    }

    /// Numbers and Booleans for which Xcode generates scalar accessors.
    static let scalars = ModelRule(.requiredScalarWithoutDefault, .optionalScalar) { subject in
        subject.attributes.compactMap { entity, attribute in
            guard attribute.type.isScalar, attribute.defaultValue == nil, !attribute.isTransient, !attribute.isDerived
            else { return nil }
            if !attribute.isOptional {
                return subject.finding(
                    .requiredScalarWithoutDefault, attribute.name, of: entity,
                    "the attribute is a required \(attribute.type.name) and has no default")
            }
            guard attribute.usesScalarValueType == true else { return nil }
            return subject.finding(
                .optionalScalar, attribute.name, of: entity,
                "the attribute is an optional \(attribute.type.name) with a scalar accessor and no default")
        }
    }

    /// At run time Core Data itself warns about transformers that are "unset or NSKeyedUnarchiveFromData".
    static let transformers = ModelRule(.insecureTransformer, .unknownTransformer) { subject in
        subject.attributes.compactMap { entity, attribute in
            guard attribute.type == .transformable, !attribute.isTransient else { return nil }
            switch attribute.valueTransformerName {
            case nil:
                return subject.finding(
                    .insecureTransformer, attribute.name, of: entity,
                    "no value transformer is set, so that any class is decoded")
            case let name? where ["NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName"].contains(name):
                return subject.finding(
                    .insecureTransformer, attribute.name, of: entity, "the transformer \(name) decodes any class")
            case "NSSecureUnarchiveFromDataTransformerName":
                return subject.finding(
                    .unknownTransformer, attribute.name, of: entity,
                    "NSSecureUnarchiveFromDataTransformerName is a constant whose value is NSSecureUnarchiveFromData"
                )
            default: return nil
            }
        }
    }

    static let externalStorage = ModelRule(.misplacedExternalStorage) { subject in
        subject.attributes.compactMap { entity, attribute in
            guard attribute.allowsExternalBinaryDataStorage,
                attribute.type != .binaryData, attribute.type != .transformable
            else { return nil }
            return subject.finding(
                .misplacedExternalStorage, attribute.name, of: entity,
                "external storage is allowed for the type \(attribute.type.name)")
        }
    }

    /// A derivation must begin with a property of the entity, or call a function of one.
    static let derivations = ModelRule(.invalidDerivation) { subject in
        subject.attributes.compactMap { entity, attribute in
            guard let text = attribute.derivationExpression else { return nil }
            if text.isEmpty {
                return subject.finding(.invalidDerivation, attribute.name, of: entity, "the derivation is empty")
            }
            let expression: FormatExpression
            do throws(FormatError) {
                expression = try FormatExpression(format: text)
            } catch {
                return subject.finding(
                    .invalidDerivation, attribute.name, of: entity,
                    "the derivation \"\(text)\" cannot be parsed: \(error)")
            }
            let unknown = ExpressionPaths(.comparison(expression, .equal, expression)).paths.lazy.compactMap(\.first)
                .first { name in
                    !name.hasPrefix("@") && !entity.attributes.contains { $0.outermostName == name }
                        && entity.relationship(named: name) == nil
                }
            guard let unknown else { return nil }
            return subject.finding(
                .invalidDerivation, attribute.name, of: entity,
                "the derivation \"\(text)\" names \(unknown), which the entity does not have")
        }
    }
}

extension AttributeType {
    /// Whether generated classes use a number or a Boolean that cannot be nil.
    fileprivate var isScalar: Bool {
        switch self {
        case .integer16, .integer32, .integer64, .double, .float, .boolean: true
        default: false
        }
    }
}
