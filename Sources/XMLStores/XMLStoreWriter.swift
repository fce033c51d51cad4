internal import KeyedArchives
import TextEncodings

/// Writes an XML store in pieces, in Core Data's layout: four spaces per level, no empty-element tags.
///
/// The pieces are passed to a closure, so that the file is never in memory as a whole.
public struct XMLStoreWriter<Failure: Error> {
    private let write: (String) throws(Failure) -> Void

    /// Begins a store: writes everything before its objects.
    /// - Throws: `PropertyListError` for metadata that XML cannot represent, and any error of `write`.
    public init(header: XMLStoreHeader, write: @escaping (String) throws(Failure) -> Void) throws {
        self.write = write
        try write(
            """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database>
                <databaseInfo>
                    <version>\(header.version)</version>
                    <UUID>\(XMLStoreText.escaped(header.uuid))</UUID>
                    <nextObjectID>\(header.nextObjectID)</nextObjectID>
                    \(try XMLStoreHeader.metadataElement(header.metadata))
                </databaseInfo>

            """)
    }

    /// Writes an object.
    /// - Throws: any error of the closure that writes.
    public func append(_ object: XMLStoreObject) throws(Failure) {
        var text = "    <object type=\"\(XMLText.escaped(object.type))\" "
        text += "id=\"\(XMLText.escaped(object.id))\">\n"
        for attribute in object.attributes {
            text += "        <attribute name=\"\(XMLText.escaped(attribute.name))\" "
            text += "type=\"\(XMLText.escaped(attribute.type))\">"
            text += XMLStoreText.escaped(attribute.text) + "</attribute>\n"
        }
        for relationship in object.relationships {
            text += "        <relationship name=\"\(XMLText.escaped(relationship.name))\" "
            text += "type=\"\(relationship.minimumCount)/\(relationship.maximumCount)\" "
            text += "destination=\"\(XMLText.escaped(relationship.destination))\""
            if !relationship.ids.isEmpty {
                text += " idrefs=\"\(XMLText.escaped(relationship.ids.joined(separator: " ")))\""
            }
            text += "></relationship>\n"
        }
        try write(text + "    </object>\n")
    }

    /// Ends the store: writes everything after its objects.
    /// - Throws: any error of the closure that writes.
    public func finish() throws(Failure) {
        try write("</database>")
    }
}
