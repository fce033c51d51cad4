/// The names under which a structure's properties are encoded.
struct CodingKeyNames {
    /// The names by property; nil if all have their own names.
    private let names: [String: String]?

    /// The reason why the effect of the keys is uncertain, if they have any.
    let doubt: String?

    init(of type: SwiftTypeDeclaration, in declarations: SwiftDeclarations) {
        let place = SwiftDeclarations.Scope(path: type.path, module: declarations.module(of: type.place))
        guard case .declared(let index)? = declarations.meaning(of: ["CodingKeys"], in: place),
            declarations.types[index].path == type.path + ["CodingKeys"]
        else {
            (names, doubt) = (nil, nil)
            return
        }
        var names: [String: String] = [:]
        for key in declarations.types[index].cases {
            names[key.name] = key.rawValue.flatMap(SwiftLiteral.string) ?? key.name
        }
        let stored = type.properties.filter { $0.isStored && !$0.isStatic }.map(\.name)
        let isPlain = stored.allSatisfy { names[$0] == $0 }
        self.names = isPlain ? nil : names
        doubt =
            isPlain
            ? nil
            : "\(type.qualifiedName) has coding keys that rename or leave out properties, which is not established"
    }

    /// Returns nil for a property that is not encoded.
    func name(of property: String) -> String? {
        guard let names else { return property }
        return names[property]
    }
}
