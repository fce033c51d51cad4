public import ExternalPrograms

/// The policies that mapping models may name by their classes.
///
/// A mapping model names the class as the app's runtime did, `App.PostPolicy` or `PostPolicy`. A registered name
/// matches as a whole, else by what stands behind its last dot: the module is the app's there and another one here.
public struct PolicyRegistry: Sendable {
    private var policies: [String: PolicyImplementation] = [:]

    /// Makes a registry without policies.
    public init() {}

    /// The classes under their own names, the module included.
    public init(_ types: [EntityMigrationPolicy.Type]) {
        for type in types { register(type) }
    }

    /// Registers a class for the mappings that name it.
    /// - Parameters:
    ///   - type: the class of the policy.
    ///   - name: what mapping models call it; nil for the class's own name.
    public mutating func register(_ type: EntityMigrationPolicy.Type, as name: String? = nil) {
        policies[name ?? String(reflecting: type)] = .code(type)
    }

    /// A program that makes the objects.
    public mutating func register(_ command: ExternalProgram, as name: String) {
        policies[name] = .command(command)
    }

    /// nil if there is none. Throws `PolicyError` where several classes have the same last name.
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

    /// All of them in words, sorted: what tells this registry from others.
    var texts: [String] { policies.map { "\($0.key): \($0.value.reason)" }.sorted() }

    /// Whether there is one, or several that could be meant.
    func knows(_ name: String) -> Bool {
        policies.keys.contains { Self.isSameClass($0, name) }
    }

    /// Whether two names may be those of one policy class: modules and other prefixes do not count.
    public static func isSameClass(_ name: String, _ other: String) -> Bool {
        name == other || bareName(name) == bareName(other)
    }

    private static func bareName(_ name: String) -> Substring {
        name.split(separator: ".").last ?? ""
    }
}

/// What stands behind the name of a policy class.
enum PolicyImplementation: Sendable {
    case code(EntityMigrationPolicy.Type)
    case command(ExternalProgram)

    /// Whether another run can go on in the middle: a program gets all that it needs with each record.
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
