public import ExternalPrograms

/// The policies that mapping models may name by their classes.
///
/// A mapping model names the class as the app's runtime did: `App.PostPolicy` or `PostPolicy`. A registered name
/// matches if it is equal, or if the part after its last dot is equal, because the class is in the app's module there
/// and in another module here.
public struct PolicyRegistry: Sendable {
    private var policies: [String: PolicyImplementation] = [:]

    /// Creates an empty registry.
    public init() {}

    /// Creates a registry of classes under their own names, including the module.
    public init(_ types: [EntityMigrationPolicy.Type]) {
        for type in types { register(type) }
    }

    /// Registers a class for the mappings that name it.
    /// - Parameters:
    ///   - type: the class of the policy.
    ///   - name: the name of the class in mapping models; nil for the class's own name.
    public mutating func register(_ type: EntityMigrationPolicy.Type, as name: String? = nil) {
        policies[name ?? String(reflecting: type)] = .code(type)
    }

    /// Registers a program that creates the objects.
    public mutating func register(_ command: ExternalProgram, as name: String) {
        policies[name] = .command(command)
    }

    /// Returns the implementation of a class; nil if there is none. Throws `PolicyError` if several registered names
    /// have the same last part.
    func implementation(of name: String) throws(PolicyError) -> PolicyImplementation? {
        if let exact = policies[name] { return exact }
        let found = policies.filter { Self.bareName($0.key) == Self.bareName(name) }
        guard found.count <= 1 else {
            throw PolicyError(
                "the policy class \(name) may be \(found.keys.sorted().joined(separator: " or ")); register one by that name"
            )
        }
        return found.first?.value
    }

    /// Descriptions of all policies, sorted. They identify the contents of the registry.
    var texts: [String] { policies.map { "\($0.key): \($0.value.reason)" }.sorted() }

    /// Returns whether at least one registered policy matches the name.
    func knows(_ name: String) -> Bool {
        policies.keys.contains { Self.isSameClass($0, name) }
    }

    /// Returns whether two names may be those of one policy class: modules and other prefixes are ignored.
    public static func isSameClass(_ name: String, _ other: String) -> Bool {
        name == other || bareName(name) == bareName(other)
    }

    private static func bareName(_ name: String) -> Substring {
        name.split(separator: ".").last ?? ""
    }
}

/// The implementation of a policy class.
enum PolicyImplementation: Sendable {
    case code(EntityMigrationPolicy.Type)
    case command(ExternalProgram)

    /// Whether another run can continue in the middle: a program gets all that it needs with each record.
    var isResumable: Bool {
        switch self {
        case .code(let type): type.isResumable
        case .command: true
        }
    }

    var reason: String {
        switch self {
        case .code(let type): "the policy \(String(reflecting: type))"
        case .command(let command): "the policy runs \(command.text)"
        }
    }
}
