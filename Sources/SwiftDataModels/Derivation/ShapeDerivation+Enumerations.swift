import ManagedObjectModels

/// Enumerations with raw values, or with a column for each case.
extension ShapeDerivation {
    func enumeration(_ type: SwiftTypeDeclaration, in context: Context) -> DerivedShape {
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
        var result = DerivedShape(.composite(elements, isEnum: true))
        if let name = foreignType(of: type) {
            result.doubt =
                "whether \(name) is a protocol or the raw type of \(type.qualifiedName) is not known; add the sources of "
                + "its module"
            result.alternatives = enumAlternatives(type, in: context)
        }
        return result
    }

    /// Returns the first type after an enumeration's colon if the sources do not declare it; nil for a protocol.
    private func foreignType(of type: SwiftTypeDeclaration) -> String? {
        guard let first = type.inherited.first else { return nil }
        let scope = declarations.scope(of: type)
        guard case (.named(let names), let place) = declarations.resolved(SwiftTypeParser.type(first), in: scope),
            declarations.meaning(of: names, in: place) == nil, let last = names.last,
            !Self.knownProtocols.contains(last)
        else { return nil }
        return names.joined(separator: ".")
    }

    /// Protocols of the standard library and of Apple's frameworks that enumerations conform to.
    private static let knownProtocols: Set = [
        "AppEnum", "AppEntity", "CaseIterable", "Codable", "CodingKey", "Comparable", "CustomDebugStringConvertible",
        "CustomLocalizedStringResourceConvertible", "CustomStringConvertible", "Decodable", "Encodable", "Equatable",
        "Error", "Hashable", "Identifiable", "LocalizedError", "LosslessStringConvertible", "Plottable",
        "RawRepresentable", "Sendable", "Transferable",
    ]

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

    /// Returns the type of an enumeration's raw values; nil if it has none.
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

    func codingDoubt(_ type: SwiftTypeDeclaration) -> String {
        isCodable(type)
            ? "\(type.qualifiedName) encodes itself in code, which is not run here"
            : "\(type.qualifiedName) is not Codable in these sources; add the ones that make it so"
    }
}
