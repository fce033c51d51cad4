import ManagedObjectModels

/// Arrays, sets and dictionaries.
extension ShapeDerivation {
    func array(_ element: SwiftType, in context: Context) -> DerivedShape {
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

    func set(_ element: SwiftType, in context: Context) -> DerivedShape {
        let value = collectionElement(element.unwrapped.type, in: context)
        if case .unknown(let reason) = value { return unknown(reason) }
        if case .model = value {
            return unknown("a set of models is not a relationship in SwiftData; declare an array")
        }
        return archived("a set of \(element)", .plain(.binaryData))
    }

    func dictionary(_ key: SwiftType, _ value: SwiftType, in context: Context) -> DerivedShape {
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
                    + "add the sources of its module, or let a store tell (ferry hashes --fit STORE --save)")
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
}
