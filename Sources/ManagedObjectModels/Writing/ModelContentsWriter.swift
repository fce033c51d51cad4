/// Writes a model as the `contents` file of an `.xcdatamodel`, laid out as Xcode does.
///
/// Reading the text gives an equal model. Parts that the format cannot represent are left out, and listed by `losses`.
/// Characters that XML forbids are written as U+FFFD.
public struct ModelContentsWriter {
    static let documentType = "com.apple.IDECoreDataModeler.DataModel"

    /// The header of Xcode's own template for new models.
    private static let newHeader = [
        ModelHeaderAttribute(name: "type", value: documentType),
        ModelHeaderAttribute(name: "documentVersion", value: "1.0"),
        ModelHeaderAttribute(name: "lastSavedToolsVersion", value: "1"),
        ModelHeaderAttribute(name: "systemVersion", value: "11A491"),
        ModelHeaderAttribute(name: "minimumToolsVersion", value: "Automatic"),
        ModelHeaderAttribute(name: "sourceLanguage", value: "Swift"),
    ]

    let document: ModelDocument

    /// Prepares to write a document, with its header and layout.
    public init(_ document: ModelDocument) {
        self.document = document
    }

    /// Prepares to write a model, with the header of a new file.
    public init(_ model: ManagedObjectModel) {
        document = ModelDocument(model: model)
    }

    /// Returns the whole file.
    public func text() -> String {
        var xml = XMLTextBuilder()
        xml.begin("model", header.map { ($0.name, $0.value) })
        for entity in document.model.entities { write(entity, to: &xml) }
        for request in document.model.fetchRequestTemplates { write(request, to: &xml) }
        for configuration in document.model.configurations {
            let cloud = configuration.isUsedWithCloudKit ? "YES" : nil
            xml.begin("configuration", [("name", configuration.name), ("usedWithCloudKit", cloud)])
            for name in configuration.entityNames { xml.add("memberEntity", [("name", name)]) }
            xml.end("configuration")
        }
        for composite in document.model.composites {
            xml.begin("composite", [("name", composite.name)])
            for element in composite.elements { write(element, to: &xml) }
            xml.end("composite")
        }
        if !document.layout.isEmpty {
            xml.begin("elements", [])
            for element in document.layout {
                xml.add(
                    "element",
                    [
                        ("name", element.name), ("positionX", element.positionX), ("positionY", element.positionY),
                        ("width", element.width), ("height", element.height),
                    ])
            }
            xml.end("elements")
        }
        xml.end("model")
        return xml.text
    }

    /// The document's own header, with the model's version identifier inserted.
    private var header: [ModelHeaderAttribute] {
        let name = ContentsField.userDefinedModelVersionIdentifier.rawValue
        var header = document.header.isEmpty ? Self.newHeader : document.header
        let place = header.firstIndex { $0.name == name }
        guard let identifier = document.model.versionIdentifiers.first else {
            if let place { header.remove(at: place) }
            return header
        }
        let attribute = ModelHeaderAttribute(name: name, value: identifier)
        if let place { header[place] = attribute } else { header.append(attribute) }
        return header
    }
}
