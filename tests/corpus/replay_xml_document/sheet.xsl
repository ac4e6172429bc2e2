<xsl:stylesheet xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:import href="i.xsl"/><xsl:template match="/"><html><img src="/a.png"/><a href="{b}"/></html></xsl:template></xsl:stylesheet>
