// The crawler-beans.cxml of a job that a client of Heritrix makes, until the client puts its own in its place.
#pragma once

#include <string_view>

namespace caddis::rest {

inline constexpr std::string_view kNewJobBeans = R"xml(<?xml version="1.0" encoding="UTF-8"?>
<!-- A crawl as Heritrix's clients configure it. It is imported when the job is built; job.log tells what became of it.
     Give a contact and seeds before the job is built. -->
<beans xmlns="http://www.springframework.org/schema/beans"
       xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
       xsi:schemaLocation="http://www.springframework.org/schema/beans http://www.springframework.org/schema/beans/spring-beans-3.0.xsd">

  <bean id="simpleOverrides" class="org.springframework.beans.factory.config.PropertyOverrideConfigurer">
    <property name="properties">
      <value>
metadata.operatorContactUrl=ENTER_AN_URL_WITH_YOUR_CONTACT_INFO_HERE_FOR_WEBMASTERS_AFFECTED_BY_YOUR_CRAWL
metadata.jobName=basic
metadata.description=
      </value>
    </property>
  </bean>

  <bean id="longerOverrides" class="org.springframework.beans.factory.config.PropertyOverrideConfigurer">
    <property name="properties">
      <props>
        <prop key="seeds.textSource.value">
# URLS HERE
        </prop>
      </props>
    </property>
  </bean>

  <bean id="metadata" class="org.archive.modules.CrawlMetadata" autowire="byName"/>

  <bean id="seeds" class="org.archive.modules.seeds.TextSeedModule">
    <property name="textSource">
      <bean class="org.archive.spring.ConfigString">
        <property name="value">
          <value># URLS HERE</value>
        </property>
      </bean>
    </property>
  </bean>

  <bean id="acceptSurts" class="org.archive.modules.deciderules.surt.SurtPrefixedDecideRule"/>

  <bean id="scope" class="org.archive.modules.deciderules.DecideRuleSequence">
    <property name="rules">
      <list>
        <bean class="org.archive.modules.deciderules.RejectDecideRule"/>
        <ref bean="acceptSurts"/>
        <bean class="org.archive.modules.deciderules.TooManyHopsDecideRule"/>
        <bean class="org.archive.modules.deciderules.TransclusionDecideRule"/>
        <bean class="org.archive.modules.deciderules.PathologicalPathDecideRule"/>
        <bean class="org.archive.modules.deciderules.TooManyPathSegmentsDecideRule"/>
        <bean class="org.archive.modules.deciderules.PrerequisiteAcceptDecideRule"/>
        <bean class="org.archive.modules.deciderules.SchemeNotInSetDecideRule"/>
      </list>
    </property>
  </bean>

  <bean id="crawlController" class="org.archive.crawler.framework.CrawlController"/>
  <bean id="frontier" class="org.archive.crawler.frontier.BdbFrontier"/>
  <bean id="crawlLimiter" class="org.archive.crawler.framework.CrawlLimitEnforcer"/>
  <bean id="disposition" class="org.archive.crawler.postprocessor.DispositionProcessor"/>
  <bean id="warcWriter" class="org.archive.modules.writer.WARCWriterProcessor"/>
</beans>
)xml";

}  // namespace caddis::rest
