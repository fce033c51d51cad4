import ManagedObjectModels

extension ModelDerivation {
    /// The options of `@Attribute`.
    private struct Options {
        var isUnique = false
        var isTransient = false
        var isExternal = false
        var isPreserved = false
        var isSpotlightIndexed = false
        var isEncrypted = false
        var transformer: String?
        var originalName: String?
        var hashModifier: String?
    }

    mutating func addAttribute(
        _ property: SwiftProperty, of type: SwiftTypeDeclaration, to entity: inout EntityDescription,
        _ derived: DerivedShape, isOptional: Bool
    ) {
        var options = options(of: property, type)
        var derived = derived
        if let transformer = options.transformer {
            derived = DerivedShape(
                .transformable(valueClass: property.type.map { "\(SwiftTypeParser.type($0).unwrapped.type)" }))
            options.transformer = transformer
        }
        if options.isUnique { entity.uniquenessConstraints.append([property.name]) }
        // Neither affects the hash of an attribute that is not stored.
        if options.isTransient, derived.doubt != nil { derived.doubt = nil }
        func described(_ shape: PropertyShape) -> (AttributeDescription, CompositeDescription?)? {
            self.attribute(property, of: type, shape, isOptional: isOptional, options)
        }
        var doubts = derived.doubt.map { [$0] } ?? []
        if options.hashModifier != nil { doubts.append("a hash modifier in SwiftData is known by analogy only") }
        if options.isPreserved { doubts.append("preservation on deletion in SwiftData is known by analogy only") }
        if !doubts.isEmpty, !options.isTransient {
            let shapes =
                derived.alternatives.isEmpty
                ? [DerivedShape.Alternative(label: "as derived", shape: derived.shape)] : derived.alternatives
            var answers = shapes.compactMap { other -> SwiftDataQuestion.Answer? in
                described(other.shape).map { .init(label: other.label, property: .attribute($0.0, $0.1)) }
            }
            if options.hashModifier != nil || options.isPreserved, var (plain, composite) = described(derived.shape) {
                plain.versionHashModifier = nil
                plain.preservesValueInHistoryOnDeletion = false
                answers.append(.init(label: "without effect", property: .attribute(plain, composite)))
                composite = nil
            }
            let question = SwiftDataQuestion(
                entity: type.name, property: property.name, reason: doubts.joined(separator: "; "), answers: answers)
            if case .attribute(let attribute, let composite)? = ask(question, at: property.place) {
                entity.attributes.append(attribute)
                if let composite { result.model.composites.append(composite) }
                return
            }
        }
        guard let (attribute, composite) = described(derived.shape) else {
            note(derived.doubt ?? "the type is not known", type.name, property.name, at: property.place)
            return
        }
        entity.attributes.append(attribute)
        if let composite { result.model.composites.append(composite) }
    }

    private func attribute(
        _ property: SwiftProperty, of type: SwiftTypeDeclaration, _ shape: PropertyShape, isOptional: Bool,
        _ options: Options
    ) -> (AttributeDescription, CompositeDescription?)? {
        var attribute = AttributeDescription(
            name: property.name, type: .undefined, isOptional: isOptional, isTransient: options.isTransient,
            renamingIdentifier: options.originalName, versionHashModifier: options.hashModifier,
            allowsExternalBinaryDataStorage: options.isExternal,
            preservesValueInHistoryOnDeletion: options.isPreserved, allowsCloudEncryption: options.isEncrypted,
            isSpotlightIndexed: options.isSpotlightIndexed)
        let scope = declarations.scope(of: type)
        switch shape {
        case .plain(let plain):
            attribute.type = plain
            attribute.defaultValue = property.initialValue.flatMap { value in
                if value.hasSuffix(".rawValue") {
                    return defaults.rawValue(of: String(value.dropLast(9)), in: scope, element: plain)
                }
                return defaults.value(of: value, type: plain)
            }
        case .transformable(let valueClass):
            attribute.type = .transformable
            attribute.valueTransformerName = options.transformer ?? "NSSecureUnarchiveFromData"
            attribute.attributeValueClassName = valueClass
            attribute.defaultValue = property.initialValue.flatMap {
                defaults.value(of: $0, type: .transformable, valueClass: valueClass)
            }
        case .composite(var elements, let isEnum):
            attribute.type = .composite
            let name = "\(type.name).\(property.name)"
            attribute.compositeName = name
            if isEnum {
                attribute.userInfo["EnumType"] = "YES"
                if elements.count == 1, let value = property.initialValue,
                    let declared = shapes.declaredType(of: property, in: scope)
                {
                    elements[0].defaultValue = defaults.rawValue(
                        of: value, declaredAs: declared, in: scope, element: elements[0].type)
                }
            }
            return (attribute, CompositeDescription(name: name, elements: elements))
        case .toOne, .toMany, .unknown: return nil
        }
        return (attribute, nil)
    }

    private mutating func options(of property: SwiftProperty, _ type: SwiftTypeDeclaration) -> Options {
        var options = Options()
        guard let attribute = property.attribute("Attribute") else { return options }
        for argument in SwiftArguments(attribute.arguments).arguments {
            switch argument.label {
            case "originalName":
                options.originalName = text(argument.value, of: "originalName", property, type, attribute)
            case "hashModifier":
                options.hashModifier = text(argument.value, of: "hashModifier", property, type, attribute)
            case nil: add(argument.value, to: &options, property, type)
            case let label?:
                note(
                    "@Attribute has an argument that is not known: \(label)", type.name, property.name,
                    at: attribute.place)
            }
        }
        return options
    }

    private mutating func add(
        _ option: String, to options: inout Options, _ property: SwiftProperty, _ type: SwiftTypeDeclaration
    ) {
        let name = option.split(separator: "(", maxSplits: 1).first?.split(separator: ".").last.map { String($0) } ?? ""
        switch name.trimmingBlanks {
        case "unique": options.isUnique = true
        case "ephemeral": options.isTransient = true
        case "externalStorage": options.isExternal = true
        case "preserveValueOnDeletion": options.isPreserved = true
        case "spotlight": options.isSpotlightIndexed = true
        case "allowsCloudEncryption": options.isEncrypted = true
        case "encrypt":
            options.isEncrypted = true
            result.remarks.append(
                SwiftDataProblem(
                    message: "SwiftData has no option .encrypt; it is taken for .allowsCloudEncryption",
                    entity: type.name, property: property.name, place: property.place))
        case "transformable":
            let arguments = option.firstIndex(of: "(").map { option[option.index(after: $0)...].dropLast() } ?? ""
            let value = SwiftArguments(String(arguments)).value("by") ?? ""
            options.transformer =
                SwiftLiteral.string(value) ?? (value.hasSuffix(".self") ? String(value.dropLast(5)) : nil)
            if options.transformer == nil {
                options.transformer = ""
                note("the transformer is neither a class nor a text", type.name, property.name, at: property.place)
            }
        default:
            note(
                "the option \(option.prefix(60)) of @Attribute is not known", type.name, property.name,
                at: property.place)
        }
    }

    /// Returns the text of a string literal; reports anything else.
    mutating func text(
        _ value: String, of label: String, _ property: SwiftProperty, _ type: SwiftTypeDeclaration,
        _ attribute: SwiftAttribute
    ) -> String? {
        if value == "nil" { return nil }
        if let text = SwiftLiteral.string(value) { return text }
        note("\(label) is not a plain text: \(value.prefix(60))", type.name, property.name, at: attribute.place)
        return nil
    }
}
