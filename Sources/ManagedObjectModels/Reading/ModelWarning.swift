/// Something in a model file that was skipped or kept unparsed; reading went on.
public struct ModelWarning: Sendable, Hashable {
    /// What was found.
    public enum Code: Sendable, Hashable {
        /// An element that is not known in its parent; it is skipped.
        case unknownElement(String, parent: String)
        /// An attribute that is not known in its element; it is skipped.
        case unknownAttribute(String, element: String)
        /// A value that does not parse as what it should be.
        case unparsedValue(attribute: String, text: String, expected: String)
        /// A value that is not of its type, but that Xcode compiles to one anyway.
        case compiledOtherwise(attribute: String, text: String, value: String)
        /// Text between elements.
        case strayText
        /// A user info with a key twice: the last value counts.
        case duplicateUserInfoKey(String)
        /// The version that a bundle calls current is not in it.
        case missingCurrentVersion(String)
        /// No version of a bundle is chosen as the current one.
        case noCurrentVersion
        /// A version that `VersionInfo.plist` lists, and that is not in the bundle.
        case missingVersion(String)
        /// A bundle or a version without the part that it is made of.
        case incompleteModel(missing: String)
        /// A folder that cannot be searched for models.
        case unreadableFolder(String)
        /// `VersionInfo.plist` lists another hash of the entity than its model gives.
        case otherHashInBundle(version: String)
        /// A property list beside the models that cannot be read.
        case unreadablePropertyList(String)
        /// A part of a model for which the form that is written has no place.
        case notWritable(String)
        /// A fetch request with a limit or other options, which compiled models do not keep, Xcode's neither.
        case droppedFetchOptions(String)
        /// A part of a compiled model that has no counterpart in a model's description.
        case notRepresentable(String)
        /// A part of which no compiled model is known, written like its nearest relative.
        case writtenByAnalogy(String)
        /// A class of the product's own module, whose name the compiler was not told; others of the model are alike.
        case unknownModule(className: String)
        /// A user info value that is not text, and the text that stands for it.
        case userInfoAsText(key: String, text: String)
        /// A feature whose part in the entity's version hash no real store confirms.
        case uncertainHash(String)
        /// What Swift sources do not say themselves, and how it was understood.
        case source(String)
        /// The model that a store carries is not the one that its metadata speak of.
        case otherHashInStore
    }

    /// What was found.
    public let code: Code
    /// The name of the entity in question; nil if it is about the model as a whole.
    public var entity: String?
    /// The name of the property in question; nil if it is about the entity as a whole.
    public var property: String?
    /// The path of the file; nil if it is not known yet.
    public var path: String?

    /// The line in the file, counted from 1; nil if it is not known.
    public var line: Int?

    /// The column in characters, counted from 1; nil if it is not known.
    public var column: Int?

    /// The line itself with a caret below the place; nil if there is nothing to show.
    public var excerpt: String?

    /// Makes a warning, with its place as far as that is known.
    public init(
        _ code: Code, entity: String? = nil, property: String? = nil, path: String? = nil, line: Int? = nil
    ) {
        self.code = code
        self.entity = entity
        self.property = property
        self.path = path
        self.line = line
    }

    /// Whether what is written is not all that was read, or not certain to be the same.
    public var isLoss: Bool {
        switch code {
        case .notWritable, .notRepresentable, .writtenByAnalogy, .unknownModule, .userInfoAsText, .uncertainHash,
            .otherHashInStore, .missingVersion, .incompleteModel, .unreadableFolder,
            .noCurrentVersion:
            true
        default: false
        }
    }

    /// The same warning with a path, where it has none.
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

    /// What is wrong and what to do, without the place.
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
