import ManagedObjectModels

/// Finds what SwiftData stores types as (docs/format/swiftdata.md#types).
struct ShapeDerivation {
    let declarations: SwiftDeclarations

    /// Where a type stands: the names around it, the name of the column, and the depth in structures.
    struct Context {
        var scope: SwiftDeclarations.Scope
        var name: String
        var isOptional: Bool
        var depth = 0

        var isElement: Bool { depth > 0 }
    }

    /// Structures in structures; deeper ones contain themselves.
    private static let maximumDepth = 16
    private static let maximumElementCount = 4096

    func shape(of type: SwiftType, in context: Context) -> DerivedShape {
        let (resolved, scope) = declarations.resolved(type, in: context.scope)
        let (inner, isOptional) = resolved.unwrapped
        var context = context
        context.scope = scope
        context.isOptional = context.isOptional || isOptional
        switch inner {
        case .named(let names): return named(names, in: context)
        case .array(let element): return array(element, in: context)
        case .set(let element): return set(element, in: context)
        case .dictionary(let key, let value): return dictionary(key, value, in: context)
        case .optional, .other: return unknown("the type \(inner) has no known rule")
        }
    }

    private func named(_ names: [String], in context: Context) -> DerivedShape {
        switch declarations.meaning(of: names, in: context.scope) {
        case .declared(let index)?: return declared(index, in: context)
        case .ambiguous(let places)?:
            return unknown("the type \(names.joined(separator: ".")) is declared \(declarations.text(of: places))")
        case .alias?, nil: return external(names, isOptional: context.isOptional)
        }
    }

    /// A type that the sources do not declare.
    private func external(_ names: [String], isOptional: Bool) -> DerivedShape {
        let name = names.joined(separator: ".")
        if let type = ExternalTypes.certain[name] { return DerivedShape(.plain(type)) }
        if let (type, others) = ExternalTypes.byAnalogy[name] {
            return DerivedShape(
                .plain(type), doubt: "how SwiftData stores \(name) is not established; \(type.name) is by analogy",
                alternatives: ([type] + others).map { .init(label: $0.name, shape: .plain($0)) })
        }
        if let names = ExternalTypes.composites[name] {
            let elements = names.map { AttributeDescription(name: $0, type: .float, isOptional: isOptional) }
            return DerivedShape(.composite(elements, isEnum: false))
        }
        return unknown(
            "the type \(name) is not declared in these sources, and no rule for it is known; "
                + "add the sources of its module")
    }

    private func declared(_ index: Int, in context: Context) -> DerivedShape {
        let type = declarations.types[index]
        if type.isModel { return DerivedShape(.toOne(index)) }
        if let condition = type.isActive.unknownText {
            return unknown("the type \(type.qualifiedName) is declared only if \(condition); decide it with --define")
        }
        if type.isGeneric { return unknown("the type \(type.qualifiedName) is generic, for which no rule is known") }
        switch type.kind {
        case .enum: return enumeration(type, in: context)
        case .struct: return structure(type, in: context)
        case .class, .actor, .protocol, .extension:
            return unknown("how SwiftData stores the \(type.kind.rawValue) \(type.qualifiedName) is not known")
        }
    }

    // MARK: Collections

    private func array(_ element: SwiftType, in context: Context) -> DerivedShape {
        let (resolved, scope) = declarations.resolved(element, in: context.scope)
        let (inner, isOptional) = resolved.unwrapped
        var place = context
        place.scope = scope
        let value = collectionElement(inner, in: place)
        switch value {
        case .model(let index) where !isOptional: return DerivedShape(.toMany(index))
        case .unknown(let reason): return unknown(reason)
        case .plain(let name) where ["String", "Data"].contains(name) && !isOptional:
            return DerivedShape(.transformable(valueClass: "Array<\(name)>"))
        case .plain(let name):
            return archived("an array of \(name)\(isOptional ? "?" : "")", .transformable(valueClass: "Array<\(name)>"))
        case .codable where context.isElement && !isOptional: return DerivedShape(.plain(.binaryData))
        case .codable, .collection, .model: return archived("an array of \(element)", .plain(.binaryData))
        }
    }

    private func set(_ element: SwiftType, in context: Context) -> DerivedShape {
        let value = collectionElement(element.unwrapped.type, in: context)
        if case .unknown(let reason) = value { return unknown(reason) }
        if case .model = value {
            return unknown("a set of models is not a relationship in SwiftData; declare an array")
        }
        return archived("a set of \(element)", .plain(.binaryData))
    }

    private func dictionary(_ key: SwiftType, _ value: SwiftType, in context: Context) -> DerivedShape {
        let (inner, isOptional) = value.unwrapped
        let element = collectionElement(inner, in: context)
        if case .unknown(let reason) = element { return unknown(reason) }
        let keyType = collectionElement(key.unwrapped.type, in: context)
        if case .codable(isStruct: true) = element, case .plain("String") = keyType, !isOptional {
            return DerivedShape(.plain(.binaryData))
        }
        return archived("a dictionary [\(key): \(value)]", .plain(.binaryData))
    }

    private enum CollectionElement {
        case plain(String)
        case codable(isStruct: Bool)
        case model(Int)
        case collection
        case unknown(String)
    }

    private func collectionElement(_ type: SwiftType, in context: Context) -> CollectionElement {
        let (resolved, scope) = declarations.resolved(type, in: context.scope)
        guard case .named(let names) = resolved.unwrapped.type else {
            if case .other = resolved { return .unknown("the type \(type) has no known rule") }
            return .collection
        }
        let name = names.joined(separator: ".")
        switch declarations.meaning(of: names, in: scope) {
        case .declared(let index)?:
            let declared = declarations.types[index]
            if declared.isModel { return .model(index) }
            if declared.isGeneric { return .unknown("the type \(name) is generic, for which no rule is known") }
            return .codable(isStruct: declared.kind == .struct)
        case .ambiguous(let places)?: return .unknown("the type \(name) is declared \(declarations.text(of: places))")
        case .alias?, nil:
            if ExternalTypes.certain[name] != nil || ExternalTypes.byAnalogy[name] != nil { return .plain(name) }
            return .unknown(
                "the type \(name) is not declared in these sources, and no rule for it is known; "
                    + "add the sources of its module")
        }
    }

    private func archived(_ what: String, _ shape: PropertyShape) -> DerivedShape {
        let isBinary = shape == .plain(.binaryData)
        let transformable =
            DerivedShape.Alternative(
                label: "Transformable", shape: isBinary ? .transformable(valueClass: nil) : shape)
        let binary = DerivedShape.Alternative(label: "Binary", shape: .plain(.binaryData))
        return DerivedShape(
            shape, doubt: "how SwiftData stores \(what) is not established",
            alternatives: isBinary ? [binary, transformable] : [transformable, binary])
    }

    private func unknown(_ reason: String) -> DerivedShape {
        let types: [AttributeType] = [
            .binaryData, .string, .integer64, .integer32, .integer16, .double, .float, .date, .uuid, .uri, .decimal,
            .boolean,
        ]
        return DerivedShape(
            .unknown, doubt: reason,
            alternatives: [.init(label: "Transformable", shape: .transformable(valueClass: nil))]
                + types.map { .init(label: $0.name, shape: .plain($0)) })
    }

    // MARK: Enumerations

    private func enumeration(_ type: SwiftTypeDeclaration, in context: Context) -> DerivedShape {
        if let raw = rawType(of: type) {
            let element = AttributeDescription(name: context.name, type: raw.type, isOptional: true)
            var result = DerivedShape(.composite([element], isEnum: true))
            if let doubt = raw.doubt {
                result.doubt = doubt
            } else if !isCodable(type) || type.hasCustomCoding {
                result.doubt = codingDoubt(type)
            }
            if result.doubt != nil { result.alternatives = enumAlternatives(type, in: context) }
            return result
        }
        let cases = type.cases
        if let condition = cases.compactMap(\.isActive.unknownText).first {
            return unknown("a case of \(type.qualifiedName) is declared only if \(condition); decide it with --define")
        }
        let elements = cases.map { AttributeDescription(name: $0.name, type: .string, isOptional: true) }
        let hasPayload = cases.contains(where: \.hasPayload)
        guard !hasPayload, !type.hasCustomCoding, isCodable(type), !cases.isEmpty else {
            let doubt =
                hasPayload
                ? "how SwiftData stores the enumeration \(type.qualifiedName) with associated values is not established"
                : cases.isEmpty ? "the enumeration \(type.qualifiedName) has no cases" : codingDoubt(type)
            return DerivedShape(.unknown, doubt: doubt, alternatives: enumAlternatives(type, in: context))
        }
        return DerivedShape(.composite(elements, isEnum: true))
    }

    private func enumAlternatives(
        _ type: SwiftTypeDeclaration, in context: Context
    ) -> [DerivedShape.Alternative] {
        func composite(_ elements: [AttributeDescription]) -> PropertyShape { .composite(elements, isEnum: true) }
        var result: [DerivedShape.Alternative] = []
        if !type.cases.isEmpty {
            for element in [AttributeType.string, .binaryData] {
                let elements = type.cases.map { AttributeDescription(name: $0.name, type: element, isOptional: true) }
                result.append(.init(label: "one \(element.name) for each case", shape: composite(elements)))
            }
        }
        for element in [AttributeType.string, .integer64, .binaryData] {
            result.append(
                .init(
                    label: "one \(element.name)",
                    shape: composite([AttributeDescription(name: context.name, type: element, isOptional: true)])))
        }
        result.append(.init(label: "Binary", shape: .plain(.binaryData)))
        result.append(.init(label: "String", shape: .plain(.string)))
        result.append(.init(label: "Integer 64", shape: .plain(.integer64)))
        result.append(.init(label: "Transformable", shape: .transformable(valueClass: nil)))
        return result
    }

    /// The type of an enumeration's raw values; nil if it has none.
    private func rawType(of type: SwiftTypeDeclaration) -> (type: AttributeType, doubt: String?)? {
        guard let first = type.inherited.first else { return nil }
        let resolved = declarations.resolved(SwiftTypeParser.type(first), in: declarations.scope(of: type)).type
        guard case .named(let names) = resolved else { return nil }
        let name = names.joined(separator: ".")
        if let type = ExternalTypes.certain[name] { return (type, nil) }
        guard let (analogous, _) = ExternalTypes.byAnalogy[name] else { return nil }
        return (
            analogous,
            "how SwiftData stores \(name), the raw type of \(type.qualifiedName), is not established"
        )
    }

    func isCodable(_ type: SwiftTypeDeclaration) -> Bool {
        declarations.conforms(type, to: ["Codable", "Decodable"])
    }

    private func codingDoubt(_ type: SwiftTypeDeclaration) -> String {
        isCodable(type)
            ? "\(type.qualifiedName) encodes itself in code, which is not run here"
            : "\(type.qualifiedName) is not Codable in these sources; add the ones that make it so"
    }

    // MARK: Structures

    private func structure(_ type: SwiftTypeDeclaration, in context: Context) -> DerivedShape {
        guard context.depth < Self.maximumDepth else {
            return unknown("the structure \(type.qualifiedName) is nested too deep, or contains itself")
        }
        if declarations.conforms(type, to: ["RawRepresentable", "OptionSet"]) {
            return rawStructure(type, in: context)
        }
        let keys = CodingKeyNames(of: type, in: declarations)
        var leaves: [AttributeDescription] = []
        var doubts: [String] = []
        var replaced: [(label: String, at: Range<Int>, with: [AttributeDescription])] = []
        if !isCodable(type) || type.hasCustomCoding { doubts.append(codingDoubt(type)) }
        if let doubt = keys.doubt { doubts.append(doubt) }
        for property in type.properties where property.isStored && !property.isStatic {
            if property.modifiers.contains("lazy") { continue }
            if let condition = property.isActive.unknownText {
                return unknown(
                    "\(type.qualifiedName).\(property.name) is declared only if \(condition); decide it with --define")
            }
            guard let name = keys.name(of: property.name) else { continue }
            if !property.attributes.isEmpty {
                doubts.append(
                    "\(type.qualifiedName).\(property.name) has an attribute that may change how it is stored")
            }
            guard let declared = declaredType(of: property, in: declarations.scope(of: type)) else {
                return unknown(
                    "the type of \(type.qualifiedName).\(property.name) does not follow from its initial value")
            }
            var inner = context
            inner.scope = declarations.scope(of: type)
            inner.name = name
            inner.depth += 1
            let isOptional = declarations.resolved(declared, in: inner.scope).type.unwrapped.isOptional
            inner.isOptional = context.isOptional || isOptional
            let shape = shape(of: declared, in: inner)
            guard let own = Self.leaves(shape.shape, name: name, isOptional: inner.isOptional) else {
                return unknown(
                    "\(type.qualifiedName).\(property.name): "
                        + (shape.doubt ?? "a model in a structure is not a relationship"))
            }
            let range = leaves.count..<(leaves.count + own.count)
            leaves += own
            guard leaves.count <= Self.maximumElementCount else {
                return unknown("the structure \(type.qualifiedName) has more than \(Self.maximumElementCount) elements")
            }
            guard let doubt = shape.doubt else { continue }
            doubts.append("\(type.qualifiedName).\(property.name): \(doubt)")
            for other in shape.alternatives {
                guard let elements = Self.leaves(other.shape, name: name, isOptional: inner.isOptional) else {
                    continue
                }
                replaced.append(("\(property.name) as \(other.label)", range, elements))
            }
        }
        var result = DerivedShape(
            .composite(leaves, isEnum: false), doubt: doubts.isEmpty ? nil : doubts.joined(separator: "; "))
        if !doubts.isEmpty {
            result.alternatives = [.init(label: "its elements as derived", shape: result.shape)]
            for (label, range, elements) in replaced {
                var changed = leaves
                changed.replaceSubrange(range, with: elements)
                result.alternatives.append(.init(label: label, shape: .composite(changed, isEnum: false)))
            }
            result.alternatives.append(.init(label: "Binary", shape: .plain(.binaryData)))
            result.alternatives.append(.init(label: "Transformable", shape: .transformable(valueClass: nil)))
        }
        return result
    }

    /// The columns of an element: those of nested structures are elements of the outer one, under their own names.
    private static func leaves(
        _ shape: PropertyShape, name: String, isOptional: Bool
    ) -> [AttributeDescription]? {
        switch shape {
        case .plain(let type): return [AttributeDescription(name: name, type: type, isOptional: isOptional)]
        case .transformable(let valueClass):
            return [.transformable(name, valueClass: valueClass, isOptional: isOptional)]
        case .composite(let elements, _): return elements
        case .toOne, .toMany, .unknown: return nil
        }
    }

    private func rawStructure(_ type: SwiftTypeDeclaration, in context: Context) -> DerivedShape {
        var result = unknown(
            "how SwiftData stores \(type.qualifiedName), a structure with a raw value, is not established")
        guard let raw = type.properties.first(where: { $0.name == "rawValue" && $0.isStored }),
            let declared = declaredType(of: raw, in: declarations.scope(of: type))
        else { return result }
        var inner = context
        inner.depth += 1
        for name in ["rawValue", context.name] {
            inner.name = name
            guard
                let own = Self.leaves(shape(of: declared, in: inner).shape, name: name, isOptional: context.isOptional)
            else { continue }
            result.alternatives.insert(
                .init(label: "one element \(name)", shape: .composite(own, isEnum: false)), at: 0)
        }
        return result
    }

    /// The type of a property, as declared or as its initial value tells; nil if neither does.
    func declaredType(of property: SwiftProperty, in scope: SwiftDeclarations.Scope) -> SwiftType? {
        if let type = property.type { return SwiftTypeParser.type(type) }
        guard let text = property.initialValue else { return nil }
        let value = SwiftInitialValue(text)
        if let type = value.type { return type }
        // `Status.active` is a `Status` if that is an enumeration with this case, or a type with such a constant.
        guard let (names, member) = value.member, !names.isEmpty else { return nil }
        let type = SwiftType.named(names)
        guard case .declared(let index)? = declarations.meaning(of: names, in: scope) else { return nil }
        let declared = declarations.types[index]
        if declared.cases.contains(where: { $0.name == member }) { return type }
        let statics = ([declared] + declarations.extensions(of: declared)).flatMap(\.properties)
        guard let constant = statics.first(where: { $0.name == member && $0.isStatic }) else { return nil }
        if let text = constant.type { return SwiftTypeParser.type(text) }
        return constant.initialValue.flatMap { SwiftInitialValue($0).type }
    }
}
