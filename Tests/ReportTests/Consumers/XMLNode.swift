// SPDX-License-Identifier: MIT

import Foundation
import FoundationXML

/// An element of a report, as the readers of these tests look at it.
final class XMLNode {
    let name: String
    let attributes: [String: String]
    private(set) var children: [XMLNode] = []
    private(set) var text = ""

    init(name: String, attributes: [String: String]) {
        self.name = name
        self.attributes = attributes
    }

    /// The root element of a document; nil when it does not parse.
    static func parse(_ document: String) -> XMLNode? {
        let builder = Builder()
        let parser = XMLParser(data: Data(document.utf8))
        parser.delegate = builder
        return parser.parse() ? builder.root : nil
    }

    /// The children of a name.
    func all(_ name: String) -> [XMLNode] { children.filter { $0.name == name } }

    /// The first child of a name.
    func first(_ name: String) -> XMLNode? { children.first { $0.name == name } }

    /// This element and all below of a name.
    func deep(_ name: String) -> [XMLNode] {
        (self.name == name ? [self] : []) + children.flatMap { $0.deep(name) }
    }

    private final class Builder: NSObject, XMLParserDelegate {
        var root: XMLNode?
        private var stack: [XMLNode] = []

        func parser(
            _ parser: XMLParser,
            didStartElement element: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            let node = XMLNode(name: element, attributes: attributes)
            if let parent = stack.last { parent.children.append(node) } else { root = node }
            stack.append(node)
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            stack.last?.text += string
        }

        func parser(
            _ parser: XMLParser,
            didEndElement element: String,
            namespaceURI: String?,
            qualifiedName: String?
        ) {
            stack.removeLast()
        }
    }
}
