/// A part of a model file that was skipped or kept unparsed; reading continued.
public struct ModelWarning: Sendable, Hashable {
    /// The kind of a warning.
    public enum Code: Sendable, Hashable {
        /// An unknown element in its parent; it is skipped.
        case unknownElement(String, parent: String)
        /// An unknown attribute in its element; it is skipped.
        case unknownAttribute(String, element: String)
        /// A value that cannot be parsed as the expected type.
        case unparsedValue(attribute: String, text: String, expected: String)
        /// A value that is not of its type, although Xcode compiles it.
        case compiledOtherwise(attribute: String, text: String, value: String)
        /// Text between elements.
        case strayText
        /// A user info in which a key occurs twice: the last value is used.
        case duplicateUserInfoKey(String)
        /// The bundle does not contain its current version.
        case missingCurrentVersion(String)
        /// A bundle does not name a current version.
        case noCurrentVersion
        /// A version in `VersionInfo.plist` that is not in the bundle.
        case missingVersion(String)
        /// A bundle or a version lacks its main part.
        case incompleteModel(missing: String)
        /// A folder that cannot be searched for models.
        case unreadableFolder(String)
        /// The entity's hash in `VersionInfo.plist` differs from that of its model.
        case otherHashInBundle(version: String)
        /// A property list beside the models that cannot be read.
        case unreadablePropertyList(String)
        /// A part of a model that the output format cannot represent.
        case notWritable(String)
        /// A fetch request with a limit or other options, which compiled models do not keep, including those of Xcode.
        case droppedFetchOptions(String)
        /// A part of a compiled model that a model's description cannot represent.
        case notRepresentable(String)
        /// A part that does not occur in any known compiled model; it is written like a similar one.
        case writtenByAnalogy(String)
        /// A class of the product's own module, if the compiler was not given the module's name; only the first class
        /// is reported.
        case unknownModule(className: String)
        /// A user info value that is not text, and the text that replaces it.
        case userInfoAsText(key: String, text: String)
        /// A feature whose effect on the entity's version hash is not confirmed by any real store.
        case uncertainHash(String)
        /// Information that is missing from Swift sources, and how it was interpreted.
        case source(String)
        /// The model in a store does not match the hashes in the store's metadata.
        case otherHashInStore
    }

    /// The kind of the warning.
    public let code: Code
    /// The name of the entity that the warning is about; nil if it is about the model as a whole.
    public var entity: String?
    /// The name of the property that the warning is about; nil if it is about the entity as a whole.
    public var property: String?
    /// The path of the file; nil if not known yet.
    public var path: String?

    /// The line in the file, counted from 1; nil if unknown.
    public var line: Int?

    /// The column in characters, counted from 1; nil if unknown.
    public var column: Int?

    /// The line itself with a caret below the position; nil if there is nothing to show.
    public var excerpt: String?

    /// Makes a warning, with its location if known.
    public init(
        _ code: Code, entity: String? = nil, property: String? = nil, path: String? = nil, line: Int? = nil
    ) {
        self.code = code
        self.entity = entity
        self.property = property
        self.path = path
        self.line = line
    }

    /// Whether the output lacks something that was read, or is not certain to be equivalent.
    public var isLoss: Bool {
        switch code {
        case .notWritable, .notRepresentable, .writtenByAnalogy, .unknownModule, .userInfoAsText, .uncertainHash,
            .otherHashInStore, .missingVersion, .incompleteModel, .unreadableFolder,
            .noCurrentVersion:
            true
        default: false
        }
    }

    /// Returns the same warning with a path, if it lacks one.
    func located(_ path: String) -> ModelWarning {
        var warning = self
        warning.path = warning.path ?? path
        return warning
    }
}

extension ModelWarning: CustomStringConvertible {
    public var description: String {
        var place = path.map { $0 + (line.map { ":\($0)" } ?? "") + (column.map { ":\($0)" } ?? "") + ": " } ?? ""
        if let entity { place += "entity \(entity)" + (property.map { ", property \($0)" } ?? "") + ": " }
        return place + reason + (excerpt.map { "\n" + $0 } ?? "")
    }

    /// What is wrong and what to do, without the location.
    public var reason: String {
        switch code {
        case .unknownElement(let name, let parent):
            "the element <\(name)> in <\(parent)> is not known; it is skipped"
        case .unknownAttribute(let name, let element):
            "the attribute \(name) of <\(element)> is not known; it is skipped"
        case .unparsedValue(let attribute, let text, let expected):
            "\(attribute)=\"\(text)\" is not \(expected); correct it in Xcode"
        case .compiledOtherwise(let attribute, let text, let value):
            "\(attribute)=\"\(text)\" is not of the attribute's type; it counts as \(value), as in Xcode"
        case .strayText: "there is text between the elements; it is skipped"
        case .duplicateUserInfoKey(let key): "the user info has the key \"\(key)\" twice; the last value counts"
        case .missingCurrentVersion(let name): "the current version \"\(name)\" is not in the bundle"
        case .noCurrentVersion: "no version is chosen as the current one; choose it in Xcode"
        case .missingVersion(let name):
            "VersionInfo.plist lists the version \"\(name)\", which is not in the bundle; get the complete bundle, or stores "
                + "of that version cannot be migrated"
        case .incompleteModel(let missing): "it has no \(missing); get it again with all its files"
        case .unreadableFolder(let reason): "it \(reason); no model in it is found"
        case .otherHashInBundle(let version):
            "VersionInfo.plist lists another version hash than the model \"\(version)\" has, which belongs to another "
                + "build; get the complete bundle of one build"
        case .unreadablePropertyList(let reason): "this property list cannot be read: \(reason)"
        case .notWritable(let part): "\(part) cannot be written in this form; it is left out"
        case .droppedFetchOptions(let name):
            "the limit, batch size and flags of the fetch request \"\(name)\" are not in the result, as Xcode's compiler "
                + "leaves them out too; set them in code"
        case .writtenByAnalogy(let part):
            "no compiled model with \(part) is known; it is written like the most similar one; test it before shipping"
        case .otherHashInStore:
            "the model that the store carries has another version hash than the store; another version left it there"
        case .unknownModule(let className):
            "the class \(className) is in the module that is being built; name the module with --module, or the class is "
                + "not found"
        case .userInfoAsText(let key, let text):
            "the value of \"\(key)\" in the user info is not a string; it is kept as \(text)"
        case .uncertainHash(let feature):
            "the version hash is not certain, as \(feature); open a store with the app before you ship it"
        case .source(let text): text
        case .notRepresentable(let part): "\(part) has no counterpart here; it is skipped"
        }
    }
}
